import { isAskemaError } from '@askema/core';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import type { ChosenExpression } from '../bind/choose-expression.ts';
import { lookUpName } from '../bind/look-up-name.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import { columnsIn } from '../expression/walk-expression.ts';

/** The names of an expression with the datasets that have them; nothing of a text that cannot be read. */
export function columnsOfText(
  { text, lexer }: ChosenExpression,
  { datasets }: BoundKnowledge,
  home?: string | undefined,
): readonly { readonly dataset: string; readonly name: string }[] {
  try {
    return columnsIn(parseExpression(text, lexer)).flatMap((column) => {
      const found = lookUpName(column, datasets, home);
      return found.kind === 'problem' ? [] : [{ dataset: found.dataset.dataset.name, name: column.name }];
    });
  } catch (thrown) {
    if (!isAskemaError(thrown)) throw thrown;
    return [];
  }
}
