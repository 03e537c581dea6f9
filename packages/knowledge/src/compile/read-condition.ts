import { didYouMean, isAskemaError, type LexerTraits } from '@askema/core';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import type { Expression } from '../expression/expression.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import { refused } from './refused.ts';

/** A condition of a request. One that cannot be read is a fault of the request: the definitions hold. */
export function readCondition(text: string, lexer: LexerTraits, { filters }: BoundKnowledge): Expression {
  try {
    return parseExpression(text, lexer);
  } catch (thrown) {
    if (!isAskemaError(thrown)) throw thrown;
    const names = [...filters.values()].map(({ name }) => name);
    const next = didYouMean(text.trim(), names) || 'Write SQL over fields, or the name of a filter.';
    const { position } = thrown.details;
    throw refused('condition', `A condition of the request cannot be read. ${thrown.message} ${next}`, { position });
  }
}
