import type { LexerTraits } from '@askema/core';
import { visitRelations } from './cte-references.ts';
import { readStatements } from './split-statements.ts';
import { isSymbol, nameOfToken } from './sql-token.ts';
import { findWithClauses, matchBrackets } from './with-clauses.ts';

/**
 * The relations that a text reads from, each once, in the order of the text: the parts of each name as the engine sees
 * them. CTEs and table functions are none. By the text alone: no name is looked up.
 */
export function relationsIn(sql: string, traits: LexerTraits): readonly (readonly string[])[] {
  const found = new Map<string, readonly string[]>();
  for (const { tokens } of readStatements(sql, traits)) {
    const clauses = findWithClauses(tokens, matchBrackets(tokens));
    visitRelations(tokens, clauses, traits, (index, reference) => {
      const parts: string[] = [];
      let at = index;
      for (; ; at += 2) {
        const token = tokens[at];
        const name = token && nameOfToken(token, traits);
        if (name === undefined) return;
        parts.push(name);
        if (!isSymbol(tokens[at + 1], '.')) break;
      }
      const isCte = parts.length === 1 && reference !== undefined;
      if (!isCte && !isSymbol(tokens[at + 1], '(')) found.set(JSON.stringify(parts), parts);
    });
  }
  return [...found.values()];
}
