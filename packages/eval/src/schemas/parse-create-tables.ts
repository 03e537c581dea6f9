import type { DataType } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { isSymbol, isWord, lexSql, type SqlToken } from '@askema/sql';
import { plainName } from './compared-schema.ts';

/** The types of RSchema's DDL as classes of the paper. */
export const TYPE_CLASSES: ReadonlyMap<string, DataType> = new Map([
  ['VARCHAR', 'TEXT'],
  ['TEXT', 'TEXT'],
  ['INTEGER', 'NUMERIC'],
  ['FLOAT', 'NUMERIC'],
  ['DATETIME', 'DATETIME'],
  ['BOOL', 'BOOL'],
  ['BLOB', 'BINARY'],
]);

/** Words that open a table constraint where two of them stand together; a column may be called `Check`. */
const CONSTRAINTS: readonly (readonly [string, string])[] = [
  ['PRIMARY', 'KEY'],
  ['FOREIGN', 'KEY'],
];

interface ParsedTable {
  readonly name: string;
  /** `type` is undefined where the text names none that is known. */
  readonly columns: readonly { readonly name: string; readonly type: DataType | undefined }[];
}

export interface ParsedTables {
  readonly tables: readonly ParsedTable[];
  /** What could not be read; empty when everything could. */
  readonly problems: readonly string[];
}

/**
 * Tables and column types of a `CREATE TABLE` text that no engine need accept: reserved words and names with hyphens or
 * slashes stand there without quotes. What stands in front of the last type word of a column is its name. Linear; never
 * throws.
 */
export function parseCreateTables(ddl: string): ParsedTables {
  const tables: ParsedTable[] = [];
  const problems: string[] = [];
  for (const statement of statementsOf(lexSql(ddl, sqliteDialect.lexer))) {
    const table = readTable(statement);
    if (typeof table === 'string') problems.push(table);
    else tables.push(table);
  }
  return { tables, problems };
}

/** The tokens of each statement, without comments. */
export function statementsOf(tokens: readonly SqlToken[]): SqlToken[][] {
  const statements: SqlToken[][] = [[]];
  for (const token of tokens) {
    if (isSymbol(token, ';')) statements.push([]);
    else if (token.kind !== 'comment') statements.at(-1)?.push(token);
  }
  return statements.filter((statement) => statement.some((token) => token.kind !== 'blank'));
}

function readTable(tokens: readonly SqlToken[]): ParsedTable | string {
  const words = tokens.filter((token) => token.kind !== 'blank');
  const open = tokens.findIndex((token) => isSymbol(token, '('));
  if (!isWord(words[0], 'CREATE') || !isWord(words[1], 'TABLE') || open === -1)
    return `No CREATE TABLE: ${excerpt(tokens)}`;
  const from = tokens.indexOf(words[1] as SqlToken) + 1;
  const name = nameOf(tokens.slice(from, open));
  if (name === '') return `A table without a name: ${excerpt(tokens)}`;
  if (tokens.some((token) => token.unterminated === true)) return `A quote that never ends in table ${name}.`;
  const parts = partsOf(tokens.slice(open + 1));
  if (parts === undefined) return `Brackets that do not close in table ${name}.`;
  return { name, columns: parts.flatMap((part) => readColumn(part) ?? []) };
}

/** What stands between the commas of the outermost brackets; undefined when those never close. */
export function partsOf(tokens: readonly SqlToken[]): SqlToken[][] | undefined {
  const parts: SqlToken[][] = [];
  let current: SqlToken[] = [];
  let depth = 0;
  for (const token of tokens) {
    if (isSymbol(token, '(')) depth += 1;
    if (isSymbol(token, ')')) {
      if (depth === 0) return [...parts, current];
      depth -= 1;
    }
    if (depth === 0 && isSymbol(token, ',')) {
      parts.push(current);
      current = [];
    } else current.push(token);
  }
  return undefined;
}

function readColumn(part: readonly SqlToken[]): ParsedTable['columns'][number] | undefined {
  const words = part.filter((token) => token.kind !== 'blank');
  if (words.length === 0) return undefined;
  if (CONSTRAINTS.some(([first, second]) => isWord(words[0], first) && isWord(words[1], second))) return undefined;
  // From the end: a column may itself be called `Text`. The first token is always of the name.
  const typeAt = part.findLastIndex(
    (token) => token !== words[0] && token.kind === 'word' && TYPE_CLASSES.has(token.text.toUpperCase()),
  );
  if (typeAt !== -1) {
    const type = TYPE_CLASSES.get(part[typeAt]?.text.toUpperCase() ?? '');
    return { name: nameOf(part.slice(0, typeAt)), type };
  }
  // `null` where a type should be, or one that is not known: the name ends at the first blank.
  const blank = part.findIndex((token, at) => token.kind === 'blank' && at > part.indexOf(words[0] as SqlToken));
  return { name: nameOf(blank === -1 ? part : part.slice(0, blank)), type: undefined };
}

/** A name as it is meant: without quotes around it. */
export function nameOf(tokens: readonly SqlToken[]): string {
  const text = tokens
    .map((token) => token.text)
    .join('')
    .trim();
  return /^(["`]).*\1$|^\[.*\]$/s.test(text) ? text.slice(1, -1) : text;
}

function excerpt(tokens: readonly SqlToken[]): string {
  const text = tokens
    .map((token) => token.text)
    .join('')
    .trim();
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** The types of a table by the plain form of its column names. */
export function typesOf(table: ParsedTable): ReadonlyMap<string, DataType | undefined> {
  return new Map(table.columns.map((column) => [plainName(column.name), column.type]));
}
