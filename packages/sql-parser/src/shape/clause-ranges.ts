import type { Clause } from '@askema/sql';
import { isWord, levelTokens, type TokenRange, type TokenTable } from '../source/token-table.ts';

export type ClauseWord = Exclude<Clause, 'select' | 'join' | 'other'>;

/** A clause in the text: with its keyword, and what follows the keyword. */
interface ClauseRange {
  readonly whole: TokenRange;
  readonly body: TokenRange;
}

/**
 * Cuts a SELECT, or what follows the last operand of a set operation, into its clauses. Only `wanted` ones are looked
 * for: the tree knows which there are, so that a column named `offset` or `window` is none.
 */
export function findClauses(
  table: TokenTable,
  range: TokenRange,
  wanted: ReadonlySet<ClauseWord>,
): ReadonlyMap<ClauseWord, ClauseRange> {
  const starts: { readonly clause: ClauseWord; readonly at: number; readonly words: number }[] = [];
  for (const index of levelTokens(table, range)) {
    const found = clauseAt(table, index);
    if (found === undefined || !wanted.has(found.clause)) continue;
    if (!starts.some(({ clause }) => clause === found.clause)) starts.push({ ...found, at: index });
  }
  return new Map(
    starts.map(({ clause, at, words }, index) => {
      const to = starts[index + 1]?.at ?? endOfClauses(table, { from: at, to: range.to });
      return [clause, { whole: { from: at, to }, body: { from: at + words, to } }];
    }),
  );
}

function clauseAt(
  table: TokenTable,
  index: number,
): { readonly clause: ClauseWord; readonly words: number } | undefined {
  const word = table.tokens[index]?.upper ?? '';
  const before = table.tokens[index - 1]?.upper ?? '';
  const next = table.tokens[index + 1]?.upper ?? '';
  if (before === '.' || before === 'AS') return undefined;
  if (word === 'FROM') {
    const isDistinctFrom = before === 'DISTINCT' && /^(IS|NOT)$/.test(table.tokens[index - 2]?.upper ?? '');
    return isDistinctFrom ? undefined : { clause: 'from', words: 1 };
  }
  if (OPERATOR.test(before) || next === '.') return undefined;
  if (word === 'GROUP' && next === 'BY') return { clause: 'group by', words: 2 };
  if (word === 'ORDER' && next === 'BY') return { clause: 'order by', words: 2 };
  if (word === 'WHERE' || word === 'HAVING' || word === 'QUALIFY' || word === 'WINDOW')
    return { clause: word.toLowerCase() as ClauseWord, words: 1 };
  if (word === 'LIMIT' || word === 'FETCH' || (word === 'OFFSET' && before !== 'WITH'))
    return { clause: 'limit', words: 1 };
  return undefined;
}

/** Behind these no clause begins: the word is an operand. */
const OPERATOR = /^(,|=|==|<|>|<=|>=|<>|!=|\+|-|\/|%|\|\||AND|OR|NOT|ON|BY|SELECT)$/;

/** FOR UPDATE and the like follow the clauses and belong to none. */
function endOfClauses(table: TokenTable, range: TokenRange): number {
  for (const index of levelTokens(table, range))
    if (isWord(table, index, 'FOR') && /^(UPDATE|SHARE|NO|KEY)$/.test(table.tokens[index + 1]?.upper ?? ''))
      return index;
  return range.to;
}
