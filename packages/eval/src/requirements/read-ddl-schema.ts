import { sqliteDialect } from '@askema/dialects';
import { isSymbol, isWord, lexSql, type SqlToken } from '@askema/sql';
import { plainName } from '../schemas/compared-schema.ts';
import type { GoldTable } from '../schemas/load-schema-dataset.ts';
import {
  nameOf,
  parseCreateTables,
  partsOf,
  statementsOf,
  TYPE_CLASSES,
  typesOf,
} from '../schemas/parse-create-tables.ts';
import type { Answer, ColumnTypes } from './schema-words.ts';

/** A schema that was read from DDL. */
export interface DdlSchema {
  readonly answer: Answer;
  readonly types: ColumnTypes;
  /** What could not be read. */
  readonly problems: readonly string[];
}

/**
 * Tables with their keys from `CREATE TABLE` and `ALTER TABLE … ADD` of any dialect; other statements are left out.
 * Nothing runs. A reference without columns means the key of its target. Names lose their schema. Linear; never throws.
 */
export function readDdlSchema(ddl: string): DdlSchema {
  const tables = new Map<string, ReadTable>();
  const problems: string[] = [];
  const types = new Map<string, ReturnType<typeof typesOf>>();
  for (const statement of statementsOf(lexSql(ddl, sqliteDialect.lexer))) {
    const words = statement.filter((token) => token.kind !== 'blank');
    const at = words.findIndex((token) => isWord(token, 'TABLE'));
    if (isWord(words[0], 'ALTER') && at === 1) addConstraints(tables, words.slice(2));
    if (!isWord(words[0], 'CREATE') || at === -1 || at > 3) continue;
    const open = statement.findIndex((token) => isSymbol(token, '('));
    const parts = open === -1 ? undefined : partsOf(statement.slice(open + 1));
    const name = tableName(words.slice(at + 1, words.indexOf(statement[open] as SqlToken)));
    if (parts === undefined || name === '') {
      problems.push(`A table cannot be read: ${name === '' ? 'it has no name' : name}.`);
      continue;
    }
    const table: ReadTable = { name, columns: [], key: [], references: [] };
    for (const part of parts)
      readPart(
        table,
        part.filter((token) => token.kind !== 'blank'),
      );
    tables.set(plainName(name), table);
    types.set(plainName(name), typesOf({ name, columns: columnTypes(statement) }));
  }
  return { answer: answerOf([...tables.values()]), types, problems };
}

interface ReadTable {
  readonly name: string;
  readonly columns: string[];
  key: readonly string[];
  readonly references: {
    readonly columns: readonly string[];
    readonly target: string;
    readonly to: readonly string[];
  }[];
}

function columnTypes(
  statement: readonly SqlToken[],
): ReturnType<typeof parseCreateTables>['tables'][number]['columns'] {
  return parseCreateTables(statement.map(({ text }) => text).join('')).tables[0]?.columns ?? [];
}

/** `IF NOT EXISTS shop.item`: item. */
function tableName(words: readonly SqlToken[]): string {
  const exists = words.findIndex((token) => isWord(token, 'EXISTS'));
  const named = words.slice(exists + 1).filter((token) => !isWord(token, 'ONLY'));
  return nameOf(named.slice(named.findLastIndex((token) => isSymbol(token, '.')) + 1));
}

/** Words that begin something else than a column, where a bracket or a name with a bracket follows. */
const OTHERS = ['UNIQUE', 'CHECK', 'KEY', 'INDEX', 'EXCLUDE', 'FULLTEXT', 'SPATIAL'];

function readPart(table: ReadTable, words: readonly SqlToken[]): void {
  const constraint = withoutName(words);
  const [first, second, third] = constraint;
  if (readConstraint(table, constraint) || constraint !== words || first === undefined) return;
  const isTyped = second !== undefined && TYPE_CLASSES.has(second.text.toUpperCase());
  const isOther = OTHERS.some((word) => isWord(first, word));
  if (
    isOther &&
    !isTyped &&
    [second, third, constraint[3]].some((token) => token !== undefined && isSymbol(token, '('))
  )
    return;
  const column = columnName(words);
  table.columns.push(column);
  const key = words.findIndex((token, at) => isWord(token, 'PRIMARY') && isWord(words[at + 1], 'KEY'));
  if (key > 0) table.key = [column];
  const references = words.findIndex((token) => isWord(token, 'REFERENCES'));
  if (references > 0) addReference(table, [column], words.slice(references + 1));
}

/** `CONSTRAINT name …` without its name. */
function withoutName(words: readonly SqlToken[]): readonly SqlToken[] {
  const second = words[2];
  const isNamed = isWord(words[0], 'CONSTRAINT') && second !== undefined && second.kind === 'word';
  return isNamed ? words.slice(2) : words;
}

function readConstraint(table: ReadTable, words: readonly SqlToken[]): boolean {
  const open = words.findIndex((token) => isSymbol(token, '('));
  const isKey = isWord(words[1], 'KEY') && open !== -1;
  if (!isKey || !(isWord(words[0], 'PRIMARY') || isWord(words[0], 'FOREIGN'))) return false;
  const columns = namesIn(words.slice(open + 1));
  if (isWord(words[0], 'PRIMARY')) table.key = columns;
  else {
    const references = words.findIndex((token) => isWord(token, 'REFERENCES'));
    if (references !== -1) addReference(table, columns, words.slice(references + 1));
  }
  return true;
}

function addReference(table: ReadTable, columns: readonly string[], behind: readonly SqlToken[]): void {
  const open = behind.findIndex((token) => isSymbol(token, '('));
  const stop = behind.findIndex(
    (token) => token.kind === 'word' && ['ON', 'MATCH', 'NOT'].includes(token.text.toUpperCase()),
  );
  const hasColumns = open > 0 && (stop === -1 || open < stop);
  const end = hasColumns ? open : dotted(behind);
  const target = tableName(behind.slice(0, end));
  table.references.push({ columns, target, to: hasColumns ? namesIn(behind.slice(open + 1)) : [] });
}

/** How many tokens a name with dots takes. */
function dotted(tokens: readonly SqlToken[]): number {
  let end = 1;
  while (tokens[end] !== undefined && isSymbol(tokens[end] as SqlToken, '.')) end += 2;
  return end;
}

/** The names up to the bracket that closes; an order or a length behind a name is none of it. */
function namesIn(tokens: readonly SqlToken[]): readonly string[] {
  return (partsOf(tokens) ?? []).flatMap((part) => {
    const words = part.filter((token) => token.kind !== 'blank');
    const end = words.findIndex((token) => isSymbol(token, '(') || isWord(token, 'ASC') || isWord(token, 'DESC'));
    const name = nameOf(end > 0 ? words.slice(0, end) : words);
    return name === '' ? [] : [name];
  });
}

/** The first word, with what is tied to it by signs that no blank parts: `E-book_ID`. */
function columnName(words: readonly SqlToken[]): string {
  let end = 1;
  for (; end < words.length; end += 1) {
    const [before, here] = [words[end - 1], words[end]] as [SqlToken, SqlToken];
    if (before.end !== here.start || isSymbol(here, '(')) break;
  }
  return nameOf(words.slice(0, end));
}

function addConstraints(tables: ReadonlyMap<string, ReadTable>, words: readonly SqlToken[]): void {
  const add = words.findIndex((token) => isWord(token, 'ADD'));
  const table = add === -1 ? undefined : tables.get(plainName(tableName(words.slice(0, add))));
  if (table !== undefined) readConstraint(table, withoutName(words.slice(add + 1)));
}

function answerOf(tables: readonly ReadTable[]): Answer {
  const keys = new Map(tables.map(({ name, key }) => [plainName(name), key]));
  const entries = tables.map(({ name, columns, key, references }): [string, GoldTable] => {
    const foreign = new Map<string, Map<string, string>>();
    for (const { columns: own, target, to } of references)
      for (const [at, column] of own.entries()) {
        const targets = foreign.get(column) ?? new Map<string, string>();
        foreign.set(column, targets.set(target, to[at] ?? keys.get(plainName(target))?.[at] ?? column));
      }
    const keyed = [...foreign].map(([column, targets]) => [column, Object.fromEntries(targets)]);
    return [name, { Attributes: columns, 'Primary key': [...key], 'Foreign key': Object.fromEntries(keyed) }];
  });
  return Object.fromEntries(entries);
}
