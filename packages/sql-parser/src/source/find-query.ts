import { type LexerTraits, splitStatements } from '@askema/core';
import { type TokenRange, type TokenTable, tokenAt } from './token-table.ts';

/** The statements of a script, without semicolons; empty ones are left out. */
export function findStatements(table: TokenTable, traits: LexerTraits): readonly TokenRange[] {
  const { source, tokens } = table;
  const isScript = tokens.slice(0, -1).some((token) => token.upper === ';');
  if (!isScript) {
    const to = tokens.at(-1)?.upper === ';' ? tokens.length - 1 : tokens.length;
    return to === 0 ? [] : [{ from: 0, to }];
  }
  const starts = splitStatements(source, traits).map((span) => ({
    from: tokenAt(table, span.start) ?? 0,
    end: span.end,
  }));
  return starts.map(({ from, end }) => {
    let to = from + 1;
    while (to < tokens.length && (tokens[to]?.end ?? end + 1) <= end) to++;
    return { from, to };
  });
}

/** Whether a statement begins as a query does. */
export function isQuery(table: TokenTable, statement: TokenRange): boolean {
  let first = statement.from;
  while (first < statement.to && table.tokens[first]?.upper === '(') first++;
  return /^(SELECT|WITH|VALUES|FROM|TABLE)$/.test(table.tokens[first]?.upper ?? '');
}
