import type { LexerTraits } from '@askema/core';
import { lexSql } from './lex-sql.ts';
import { readStatements } from './split-statements.ts';
import { isExecutableComment, isSymbol, isWord, nameOfToken, type SqlToken } from './sql-token.ts';
import { changingVerb, isSetup } from './statement-kind.ts';
import { tableName, tableNames } from './table-names.ts';

/** Whether a text only reads; `position` is a UTF-16 offset in the source. */
export type ReadOnlyVerdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string; readonly position: number };

type Refusal = Extract<ReadOnlyVerdict, { readonly ok: false }>;

/**
 * The text half of the read-only guard: one statement (with the preparing ones that the dialect allows in front) whose
 * every part begins with a word that reads. What is not known to read is refused, and so is a text that an engine could
 * read in a different way than this lexer: quotes or comments that nothing closes, templates, NUL characters. It comes
 * second: the engine itself must refuse writes, because no text tells what a function does.
 */
export function readOnlyText(sql: string, traits: LexerTraits): ReadOnlyVerdict {
  const nul = sql.indexOf('\0');
  if (nul >= 0) return refused('The text has a NUL character, where engines may stop reading.', nul);
  const all = lexSql(sql, traits);
  const odd = findOddToken(all, traits);
  if (odd !== undefined) return odd;
  const statements = readStatements(sql, traits);
  const last = statements.at(-1);
  if (last === undefined) return refused('There is no statement.', 0);
  for (const [index, { tokens }] of statements.entries()) {
    const changes = tokens === last.tokens || !isSetup(tokens, traits) ? changesOf(tokens, traits) : undefined;
    const reason = changes ?? callsOf(tokens, traits) ?? tablesOf(tokens, traits) ?? locksOf(tokens) ?? cutOf(tokens);
    if (reason !== undefined) return reason;
    if (tokens !== last.tokens && !isSetup(tokens, traits))
      return refused('There is more than one statement: send one at a time.', statements[index + 1]?.start ?? 0);
  }
  return { ok: true };
}

/**
 * True for one query that only reads: SELECT, VALUES, WITH …, and what else the dialect calls a query; no SHOW,
 * DESCRIBE or EXPLAIN.
 */
export function isSelectOnly(sql: string, traits: LexerTraits): boolean {
  const statements = readStatements(sql, traits);
  const first = statements[0]?.tokens.find((token) => !isSymbol(token, '('));
  const isQuery = ['SELECT', 'VALUES', 'WITH', 'FROM', 'TABLE'].some((word) => isWord(first, word));
  return statements.length === 1 && isQuery && readOnlyText(sql, traits).ok;
}

function refused(reason: string, position: number): Refusal {
  return { ok: false, reason, position };
}

function findOddToken(tokens: readonly SqlToken[], traits: LexerTraits): Refusal | undefined {
  const hasUnicodeNames = traits.stringPrefixes?.some(({ prefix }) => prefix.toLowerCase() === 'u&') === true;
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] as SqlToken;
    const { kind, text, start, unterminated } = token;
    if (hasUnicodeNames && kind === 'quotedName' && isSymbol(tokens[index - 1], '&') && isWord(tokens[index - 2], 'U'))
      return refused('A name in Unicode escapes may be that of any function.', start);
    // What some versions run is a comment to others, so quotes in it close nothing for sure.
    if (isExecutableComment(token))
      return refused(`${text} opens a comment that some versions of the engine run as code.`, start);
    if (unterminated) return refused(`What opens with ${JSON.stringify(text.slice(0, 2))} is never closed.`, start);
    if (kind === 'template')
      return refused(`The template ${JSON.stringify(text.slice(0, 40))} is not filled in.`, start);
    if (kind !== 'comment') continue;
    const isBlock = text.startsWith('/*');
    if (isBlock && traits.blockComments === 'flat' && text.includes('/*', 2))
      return refused('A comment opens inside of a comment, which engines read in different ways.', start);
    // Without its \n the rest of the line may be a statement to the engine.
    if (!isBlock && /\r./s.test(text)) return refused('A line comment has a carriage return in it.', start);
  }
  return undefined;
}

function changesOf(tokens: readonly SqlToken[], traits: LexerTraits): Refusal | undefined {
  const verb = changingVerb(tokens, traits);
  if (verb === undefined) return undefined;
  const position = verb.token?.start ?? 0;
  const before = verb.token === undefined ? undefined : tokens[tokens.indexOf(verb.token) - 1];
  if (verb.word === 'INTO' && before?.kind === 'word' && /^(?:INSERT|REPLACE|MERGE)$/i.test(before.text))
    return refused(`${before.text.toUpperCase()} is no statement that is known to read only.`, before.start);
  if (verb.word === 'INTO') return refused('INTO stores what the query reads.', position);
  if (verb.word === '') return refused('This is no statement that is known to read only.', position);
  return refused(`${verb.word} is no statement that is known to read only.`, position);
}

function callsOf(tokens: readonly SqlToken[], traits: LexerTraits): Refusal | undefined {
  const names = traits.statements?.effectFunctions ?? [];
  if (names.length === 0) return undefined;
  const isListed = matcherOf(names);
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'word' && token.kind !== 'quotedName') continue;
    const isCall = isSymbol(tokens[index + 1], '(');
    const isBehindDot = isSymbol(tokens[index - 1], '.');
    if (!isCall && !isBehindDot) continue;
    const name = nameOfToken(token, traits)?.toUpperCase() ?? '';
    const called = (isCall ? '' : '.') + name.slice(name.lastIndexOf('.') + 1);
    const before = isBehindDot ? tokens[index - 2] : undefined;
    const path = before === undefined ? name : `${nameOfToken(before, traits)?.toUpperCase() ?? ''}.${name}`;
    // `AI.IF` is a different function than `IF`: the last two parts count as well.
    const qualified = isCall ? path.split('.').slice(-2).join('.') : called;
    if ([called, qualified].some(isListed))
      return refused(`${called.replace('.', '')} does more than read this database.`, token.start);
  }
  return undefined;
}

/** Memo; the lists are immutable data. */
const matchers = new WeakMap<readonly string[], (name: string) => boolean>();

/** Whether a name is on a list, where `*` at the end stands for any rest. */
function matcherOf(names: readonly string[]): (name: string) => boolean {
  const known = matchers.get(names) ?? makeMatcher(names);
  matchers.set(names, known);
  return known;
}

function makeMatcher(names: readonly string[]): (name: string) => boolean {
  const exact = new Set(names.filter((name) => !name.endsWith('*')));
  const beginnings = names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  return (name) => exact.has(name) || beginnings.some((beginning) => name.startsWith(beginning));
}

/** Table functions that need no brackets. */
function tablesOf(tokens: readonly SqlToken[], traits: LexerTraits): Refusal | undefined {
  const names = traits.statements?.effectTables ?? [];
  if (names.length === 0) return undefined;
  const isListed = matcherOf(names);
  const found = tableNames(tokens, traits).find((token) => isListed(tableName(token, traits)?.toUpperCase() ?? ''));
  return found && refused(`${found.text} is a table that reaches beyond this database.`, found.start);
}

/** SELECT … FOR UPDATE and its weaker kinds, LOCK IN SHARE MODE. */
function locksOf(tokens: readonly SqlToken[]): Refusal | undefined {
  const at = tokens.findIndex(
    (token, index) =>
      isWord(token, 'FOR') &&
      (['UPDATE', 'SHARE'].some((word) => isWord(tokens[index + 1], word)) ||
        (isWord(tokens[index + 1], 'NO') && isWord(tokens[index + 2], 'KEY')) ||
        (isWord(tokens[index + 1], 'KEY') && isWord(tokens[index + 2], 'SHARE'))),
  );
  if (at >= 0) return refused('FOR … locks the rows that are read.', tokens[at]?.start ?? 0);
  const shared = tokens.findIndex(
    (token, index) => isWord(token, 'LOCK') && isWord(tokens[index + 1], 'IN') && isWord(tokens[index + 2], 'SHARE'),
  );
  return shared < 0
    ? undefined
    : refused('LOCK IN SHARE MODE locks the rows that are read.', tokens[shared]?.start ?? 0);
}

/** LIMIT ROWS EXAMINED of MariaDB, which ends a query in its midst with no more than a warning. */
function cutOf(tokens: readonly SqlToken[]): Refusal | undefined {
  const found = tokens.find(
    (token, index) =>
      isWord(token, 'ROWS') &&
      isWord(tokens[index + 1], 'EXAMINED') &&
      /^(number|parameter)$/.test(tokens[index + 2]?.kind ?? ''),
  );
  return found && refused('With ROWS EXAMINED a result that is cut looks whole.', found.start);
}
