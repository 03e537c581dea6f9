import type { LexerTraits } from '@askema/core';
import { readStatements } from './split-statements.ts';
import { isExecutableComment, isSymbol, isWord, type SqlToken } from './sql-token.ts';
import { findWithClauses, matchBrackets, readWith } from './with-clauses.ts';

/** What a statement does, as far as its text tells. */
export type StatementKind = 'read' | 'write' | 'ddl' | 'other';

const WRITERS = new Set(
  'INSERT UPDATE DELETE MERGE REPLACE UPSERT TRUNCATE COPY LOAD PUT REMOVE RM EXPORT IMPORT UNLOAD'.split(' '),
);
const DEFINERS = new Set(
  'CREATE ALTER DROP UNDROP RENAME COMMENT GRANT REVOKE REINDEX ANALYZE VACUUM CLUSTER REFRESH SECURITY'.split(' '),
);

/**
 * What a text does, by the first word that counts in each statement and in each CTE: a WITH … DELETE and a SELECT …
 * INTO write, too. Of several statements the first one that does not read decides; those that only prepare (`setup` of
 * the dialect) count as reading. `other` for calls, transactions, settings, executable comments, and for what is no
 * statement.
 */
export function statementKind(sql: string, traits: LexerTraits): StatementKind {
  const statements = readStatements(sql, traits);
  if (statements.length === 0) return 'other';
  for (const [index, { tokens }] of statements.entries()) {
    if (index < statements.length - 1 && isSetup(tokens, traits)) continue;
    const verb = changingVerb(tokens, traits);
    if (verb !== undefined) return kindOf(verb.word);
    if (tokens.some(isExecutableComment)) return 'other';
  }
  return 'read';
}

function kindOf(word: string): StatementKind {
  if (WRITERS.has(word) || word === 'INTO') return 'write';
  return DEFINERS.has(word) ? 'ddl' : 'other';
}

/**
 * True for a statement that may stand in front of a query because it changes nothing but this text's own variables and
 * functions.
 */
export function isSetup(tokens: readonly SqlToken[], traits: LexerTraits): boolean {
  const begins = traits.statements?.setup?.some((words) => words.every((word, index) => isWord(tokens[index], word)));
  // SET @@name changes the session; a function of this text that runs elsewhere does what nobody sees.
  const runsElsewhere = tokens.some((token, index) => {
    const language = isWord(token, 'LANGUAGE') ? tokens[index + 1] : undefined;
    const isOwn = isWord(language, 'JS') || isWord(language, 'SQL');
    return isWord(token, 'REMOTE') || isWord(token, 'CONNECTION') || (language !== undefined && !isOwn);
  });
  return begins === true && tokens[1]?.text.startsWith('@@') !== true && !runsElsewhere;
}

/**
 * The word that makes a statement more than a reading one, if there is one: of its own, of a chained one, of a CTE, or
 * INTO.
 */
export function changingVerb(tokens: readonly SqlToken[], traits: LexerTraits): Verb | undefined {
  const closing = matchBrackets(tokens);
  const chain = traits.statements?.chainOperator;
  const starts = [0];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (chain !== undefined && isSymbol(token, chain)) starts.push(index + 1);
    if (isPipedWrite(tokens, index))
      return { word: tokens[index + 1]?.text.toUpperCase() ?? '', token, explained: false };
    if (isWord(token, 'INTO') && !isSymbol(tokens[index - 1], '.')) {
      const own = verbAt(tokens, closing, 0);
      return isReader(own.word, traits) ? { word: 'INTO', token, explained: false } : own;
    }
  }
  const clauses = findWithClauses(tokens, closing);
  for (const { ctes } of clauses) starts.push(...ctes.map(({ open }) => Math.min(open + 1, tokens.length - 1)));
  const known = new Set(clauses.map(({ at }) => tokens[at]));
  // Every WITH is looked at once: what stands in front of it stops there. One without CTEs (Snowflake's WITH … AS
  // PROCEDURE … CALL) is not known.
  return [
    ...starts.map((start) => verbAt(tokens, closing, start, 0)),
    ...clauses.map(({ at }) => verbAt(tokens, closing, at, 1)),
  ].find(({ word, token }) => (word === 'WITH' ? !known.has(token) : !isReader(word, traits)));
}

const PIPED_WRITES = ['INSERT', 'CREATE', 'EXPORT', 'UPDATE', 'DELETE', 'MERGE'];

/** GoogleSQL's pipe operators that write. */
function isPipedWrite(tokens: readonly SqlToken[], index: number): boolean {
  return isSymbol(tokens[index], '|>') && PIPED_WRITES.some((word) => isWord(tokens[index + 1], word));
}

/** First words of queries in every dialect. */
const QUERY_VERBS = ['SELECT', 'VALUES'];
/** Words between EXPLAIN and the statement that it explains. */
const EXPLAIN_OPTIONS = new Set('ANALYZE ANALYSE VERBOSE QUERY PLAN USING TEXT JSON TABULAR EXTENDED'.split(' '));

const QUERY_OPENERS = new Set(['(', 'WITH', ...QUERY_VERBS]);

/** The word that says what a statement does. */
interface Verb {
  /** Upper case; empty when there is no word. */
  readonly word: string;
  readonly token: SqlToken | undefined;
  readonly explained: boolean;
}

/**
 * The word that says what a piece of a statement does: behind brackets, behind EXPLAIN and its options, behind a WITH
 * and its CTEs. Who looks at every WITH anyhow sets how many of them are passed; the next one is then the word itself.
 */
function verbAt(
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
function isReader(word: string, traits: LexerTraits): boolean {
  return QUERY_VERBS.includes(word) || traits.statements?.readers?.includes(word) === true;
}
