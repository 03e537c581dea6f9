import type { ProcessFailure } from '@askema/adapter-kit/process';
import type { Access } from '@askema/core';
import { nameOfToken, significantTokens, type Token } from './tokens.ts';

/** Why a statement is not even prepared. */
type Refusal = Extract<ProcessFailure, { kind: 'refused' }>;

/**
 * Pragmas that only report, and whether they take an argument. Everything else is refused before it is prepared,
 * because many pragmas take effect while they are compiled, also behind EXPLAIN (https://sqlite.org/pragma.html, "Some
 * pragmas run during the SQL compilation stage").
 */
const READING_PRAGMAS: ReadonlyMap<string, 'argument' | 'none'> = new Map([
  ['application_id', 'none'],
  ['collation_list', 'none'],
  ['compile_options', 'none'],
  ['data_version', 'none'],
  ['encoding', 'none'],
  ['foreign_key_check', 'argument'],
  ['foreign_key_list', 'argument'],
  ['freelist_count', 'none'],
  ['function_list', 'none'],
  ['index_info', 'argument'],
  ['index_list', 'argument'],
  ['index_xinfo', 'argument'],
  ['integrity_check', 'argument'],
  ['page_count', 'none'],
  ['page_size', 'none'],
  ['pragma_list', 'none'],
  ['quick_check', 'argument'],
  ['schema_version', 'none'],
  ['table_info', 'argument'],
  ['table_list', 'argument'],
  ['table_xinfo', 'argument'],
  ['user_version', 'none'],
]);

/** Names of the reading pragmas, for messages and documentation. */
export const READING_PRAGMA_NAMES: readonly string[] = [...READING_PRAGMAS.keys()];

const CHANGES_DATA = ['INSERT', 'REPLACE', 'UPDATE', 'DELETE'];
const CHANGES_SCHEMA = ['CREATE', 'ALTER', 'DROP', 'REINDEX', 'ANALYZE'];
const TRANSACTIONS = ['BEGIN', 'COMMIT', 'END', 'ROLLBACK', 'SAVEPOINT', 'RELEASE'];
const OTHER_FILES = ['ATTACH', 'DETACH', 'VACUUM'];

/** What kind of statement this is, by its first word; only the engine's own answer counts for read-only. */
export function statementKind(sql: string): 'read' | 'write' | 'ddl' | 'other' {
  const { word } = firstWord(sql);
  if (CHANGES_DATA.includes(word)) return 'write';
  if (CHANGES_SCHEMA.includes(word)) return 'ddl';
  return ['SELECT', 'VALUES', 'WITH'].includes(word) ? 'read' : 'other';
}

/**
 * The text half of the guard: what must not be prepared, let alone run. It never allows anything that the engine would
 * refuse; what passes is prepared on a handle that cannot write (or, with `write`, inside a transaction).
 */
export function refuseByText(sql: string, access: Access): Refusal | undefined {
  const nul = sql.indexOf('\0');
  if (nul >= 0)
    return refused(
      `The statement has a NUL character at position ${nul}, where SQLite would stop reading it. Remove it, or bind the value as a parameter.`,
    );
  const { word, rest } = firstWord(sql);
  if (word === 'PRAGMA') return refusePragma(rest);
  if (TRANSACTIONS.includes(word))
    return refused(
      `${word} is refused: every statement runs in a transaction of its own. Send one statement that does the whole work.`,
    );
  if (OTHER_FILES.includes(word))
    return refused(
      `${word} is refused: this adapter works on one file and writes no other. ${word === 'VACUUM' ? 'Read its rows with SELECT instead; copy or compact the file with a tool of yours.' : 'Open the other file with an adapter of its own.'}`,
    );
  if (access === 'read' && (CHANGES_DATA.includes(word) || CHANGES_SCHEMA.includes(word))) return notReadOnly(word);
  return undefined;
}

/** The refusal of a statement that would change something under `access: 'read'`. */
export function notReadOnly(what: string): Refusal {
  return {
    kind: 'refused',
    code: 'QUERY_NOT_READ_ONLY',
    message: `${what} would change the database, and this call may only read. Send a SELECT, a WITH … SELECT or VALUES.`,
  };
}

function refusePragma(tokens: Iterator<Token>): Refusal | undefined {
  const words: Token[] = [];
  for (let next = tokens.next(); next.done !== true && words.length < 8; next = tokens.next()) words.push(next.value);
  if (words[1]?.text === '.') words.splice(0, 2);
  const name = words[0] === undefined ? '' : (nameOfToken(words[0]) ?? words[0].text).toLowerCase();
  const argument = READING_PRAGMAS.get(name);
  const next = words[1]?.text;
  const plain = next === undefined || next === ';';
  if (argument !== undefined && (plain || (argument === 'argument' && next === '('))) return undefined;
  const subject = argument === undefined ? `PRAGMA ${name}` : `PRAGMA ${name} with a value`;
  return refused(
    `${subject} is refused: it could change the connection or the file. These are allowed, without \`=\`: ${READING_PRAGMA_NAMES.join(', ')}.`,
  );
}

/** The first word in upper case, without EXPLAIN [QUERY PLAN], and what follows it. */
function firstWord(sql: string): { readonly word: string; readonly rest: Iterator<Token> } {
  const rest = significantTokens(sql);
  const read = (): string => {
    const next = rest.next();
    return next.done === true ? '' : next.value.kind === 'word' ? next.value.text.toUpperCase() : next.value.text;
  };
  let word = read();
  while (word === ';') word = read();
  if (word === 'EXPLAIN') {
    word = read();
    if (word === 'QUERY') {
      read();
      word = read();
    }
  }
  return { word, rest };
}

function refused(message: string): Refusal {
  return { kind: 'refused', code: 'QUERY_REFUSED', message };
}
