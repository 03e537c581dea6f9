import type { LexerTraits } from '../adapter/dialect.ts';
import { isSymbol, isWord, type SqlToken } from './sql-token.ts';
import { readWith } from './with-clauses.ts';

/** First words of queries in every dialect. */
const QUERY_VERBS = ['SELECT', 'VALUES'];
/** Words between EXPLAIN and the statement that it explains. */
const EXPLAIN_OPTIONS = new Set('ANALYZE ANALYSE VERBOSE QUERY PLAN USING TEXT JSON TABULAR EXTENDED'.split(' '));

const QUERY_OPENERS = new Set(['(', 'WITH', ...QUERY_VERBS]);

/** The word that says what a statement does. */
export interface Verb {
  /** Upper case; empty when there is no word. */
  readonly word: string;
  readonly token: SqlToken | undefined;
  readonly explained: boolean;
}

/**
 * The word that says what a piece of a statement does: behind brackets, behind EXPLAIN and its options, behind a WITH and its CTEs. Who looks
 * at every WITH anyhow sets how many of them are passed; the next one is then the word itself.
 */
export function verbAt(
  tokens: readonly SqlToken[],
  closing: Int32Array,
  from: number,
  passedWiths = Number.POSITIVE_INFINITY,
): Verb {
  let explained = false;
  let passed = 0;
  for (let index = from; index < tokens.length; ) {
    const token = tokens[index];
    if (isSymbol(token, '(')) index += 1;
    else if (isWord(token, 'EXPLAIN')) {
      explained = true;
      index = behindOptions(tokens, closing, index + 1);
    } else {
      const header = isWord(token, 'WITH') ? readWith(tokens, closing, index) : undefined;
      const behind = header?.ctes.at(-1)?.to;
      if (behind === undefined || passed === passedWiths)
        return { word: token?.kind === 'word' ? token.text.toUpperCase() : '', token, explained };
      passed += 1;
      index = behind;
    }
  }
  return { word: '', token: tokens[from], explained };
}

function behindOptions(tokens: readonly SqlToken[], closing: Int32Array, from: number): number {
  let index = from;
  // Options in brackets, unless a query stands in them.
  if (isSymbol(tokens[index], '(') && !QUERY_OPENERS.has(tokens[index + 1]?.text.toUpperCase() ?? ''))
    index = (closing[index] ?? tokens.length) + 1;
  while (tokens[index]?.kind === 'word' && EXPLAIN_OPTIONS.has(tokens[index]?.text.toUpperCase() ?? '')) index += 1;
  return index;
}

/** True for the first words of statements that only read; of a WITH the words inside and behind decide. */
export function isReader(word: string, traits: LexerTraits): boolean {
  return QUERY_VERBS.includes(word) || traits.statements?.readers?.includes(word) === true;
}
