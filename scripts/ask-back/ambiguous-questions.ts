import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';

/** A question with the statements of two ways to read it, which give different rows. */
export interface AmbiguousQuestion {
  readonly id: string;
  readonly rule: Rule;
  readonly file: string;
  readonly question: string;
  /** For each way: statements of which any is right. */
  readonly readings: readonly [readonly string[], readonly string[]];
}

const RULES = ['column of two relations', 'dropped qualifier', 'extreme with a tie', 'last year'] as const;
type Rule = (typeof RULES)[number];

/** So many questions, of each rule about as many, drawn by the hash of what they ask. */
export function ambiguousQuestions(folders: readonly string[], today: string, count: number): AmbiguousQuestion[] {
  const all = folders.flatMap((folder) =>
    readdirSync(folder)
      // Copies with other cells, and one file that holds many of the others.
      .filter((name) => name.endsWith('.sqlite') && !/_mm|mega/.test(name))
      .flatMap((name) => questionsOf(path.join(folder, name), today)),
  );
  const drawn = RULES.flatMap((rule) =>
    spread(all.filter((question) => question.rule === rule)).map((question, turn) => ({ question, turn })),
  );
  return drawn
    .toSorted((a, b) => a.turn - b.turn)
    .slice(0, count)
    .map(({ question }) => question);
}

/** Those of one database come in turns with those of others. */
function spread(questions: readonly AmbiguousQuestion[]): readonly AmbiguousQuestion[] {
  const groups = [...Map.groupBy(questions, ({ file }) => file).values()].map((group) =>
    group.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  );
  const placed = groups.flatMap((group) => group.map((question, turn) => ({ question, turn })));
  return placed
    .toSorted((a, b) => a.turn - b.turn || (a.question.id < b.question.id ? -1 : 1))
    .map(({ question }) => question);
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isKey: boolean;
}

interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly references: readonly { readonly from: string; readonly table: string }[];
}

function questionsOf(file: string, today: string): AmbiguousQuestion[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = readTables(database);
    const found = [
      ...columnsOfTwo(database, tables),
      ...datesOfOne(database, tables),
      ...tiedExtremes(database, tables),
      ...lastYears(database, tables, today),
    ];
    return found.map(([rule, question, first, second]) => {
      const id = createHash('sha256')
        .update(`${path.basename(file)} ${question}`)
        .digest('hex')
        .slice(0, 12);
      return { id, rule, file, question, readings: [first, second] };
    });
  } finally {
    database.close();
  }
}

type Found = readonly [rule: Rule, question: string, first: readonly string[], second: readonly string[]];

/** `What are the different cities?`, where two relations have a city. */
function columnsOfTwo(database: DatabaseSync, tables: readonly Table[]): Found[] {
  const places = Map.groupBy(
    tables.flatMap((table) =>
      table.columns
        .filter(({ type, isKey, name }) => /char|text/i.test(type) && !isKey && !/id$|code$|_no$/i.test(name))
        .map((column) => ({ table, column: column.name })),
    ),
    ({ column }) => column.toLowerCase(),
  );
  return [...places.values()].flatMap((both): Found[] => {
    const [a, b, third] = both;
    if (a === undefined || b === undefined || third !== undefined) return [];
    const [first, second] = [a, b].map(
      ({ table, column }) => `SELECT DISTINCT ${quoted(column)} FROM ${quoted(table.name)}`,
    );
    if (first === undefined || second === undefined || !differ(database, first, second, 3)) return [];
    return [['column of two relations', `What are the different ${plural(words(a.column))}?`, [first], [second]]];
  });
}

/** `How many orders were there in 2024?`, where an order has two dates; `How many matches does Ajax have?`. */
function datesOfOne(database: DatabaseSync, tables: readonly Table[]): Found[] {
  return tables.flatMap((table): Found[] => {
    const [a, b] = table.columns.filter(isDate);
    if (a === undefined || b === undefined) return sidesOfOne(database, table);
    const years = rows(
      database,
      `SELECT substr(${quoted(a.name)}, 1, 4) AS year FROM ${quoted(table.name)} GROUP BY 1 ORDER BY COUNT(*) DESC LIMIT 5`,
    );
    for (const { year } of years ?? []) {
      if (!/^\d{4}$/.test(String(year))) continue;
      const [first, second] = [countOf(table, a, String(year)), countOf(table, b, String(year))];
      if (!differ(database, first, second)) continue;
      return [['dropped qualifier', `How many ${plural(words(table.name))} were there in ${year}?`, [first], [second]]];
    }
    return [];
  });
}

function sidesOfOne(database: DatabaseSync, { name, columns, references }: Table): Found[] {
  const sides = [...Map.groupBy(references, ({ table }) => table.toLowerCase()).values()].find(
    ({ length }) => length === 2,
  );
  const [a, b] =
    sides ?? columns.filter((column) => /airport$/i.test(column.name)).map((column) => ({ from: column.name }));
  if (a === undefined || b === undefined) return [];
  const relation = quoted(name);
  const one = text(database, `SELECT ${quoted(a.from)} FROM ${relation} GROUP BY 1 ORDER BY COUNT(*) DESC LIMIT 1`);
  const [first, second] = [a, b].map(
    ({ from }) => `SELECT COUNT(*) FROM ${relation} WHERE ${quoted(from)} = '${one.replaceAll("'", "''")}'`,
  );
  if (first === undefined || second === undefined || !differ(database, first, second)) return [];
  return [['dropped qualifier', `How many ${plural(words(name))} does ${one.trim()} have?`, [first], [second]]];
}

/** `Show the name of the singers with the highest age.`, where two have it; half of them in the singular. */
function tiedExtremes(database: DatabaseSync, tables: readonly Table[]): Found[] {
  return tables.flatMap((table): Found[] => {
    const label = labelOf(table);
    if (label === undefined || (rows(database, `SELECT 1 FROM ${quoted(table.name)}`)?.length ?? 0) < 8) return [];
    const [relation, shown] = [quoted(table.name), quoted(label.name)];
    const who = (named: string): string => `Show the ${words(label.name)} of the ${named}`;
    const nouns = (position: number): string =>
      position % 2 === 0 ? plural(words(table.name)) : singular(words(table.name));
    const figures = table.columns.filter(
      ({ name, type, isKey }) =>
        /int|num|real|double|dec/i.test(type) &&
        !isKey &&
        !/(^|_)(id|code|year|no|zip|type)$|id$/i.test(name) &&
        !isReference(table, name),
    );
    const ends = figures.flatMap(({ name }) => [
      { by: quoted(name), said: `highest ${words(name)}`, end: 'MAX' },
      { by: quoted(name), said: `lowest ${words(name)}`, end: 'MIN' },
    ]);
    const found = ends.flatMap(({ by, said, end }, position): Found[] => {
      const all = `SELECT ${shown} FROM ${relation} WHERE ${by} = (SELECT ${end}(${by}) FROM ${relation})`;
      const asked = `${who(nouns(position + table.name.length))} with the ${said}.`;
      return isTied(database, all) ? [['extreme with a tie', asked, [all], single(database, all)]] : [];
    });
    const children = tables.flatMap((child) =>
      child.references
        .filter(({ table: parent }) => parent.toLowerCase() === table.name.toLowerCase())
        .map(({ from }) => ({ child, from })),
    );
    const key = table.columns.find(({ isKey }) => isKey);
    const counted = children.flatMap(({ child, from }, position): Found[] => {
      if (key === undefined) return [];
      const counts = `SELECT ${quoted(from)} AS k, COUNT(*) AS n FROM ${quoted(child.name)} WHERE ${quoted(from)} IS NOT NULL GROUP BY 1`;
      const all = `SELECT ${shown} FROM ${relation} JOIN (${counts}) ON k = ${quoted(key.name)} WHERE n = (SELECT MAX(n) FROM (${counts}))`;
      const asked = `${who(nouns(position + table.name.length))} with the most ${plural(words(child.name))}.`;
      return isTied(database, all) ? [['extreme with a tie', asked, [all], single(database, all)]] : [];
    });
    return [...found.slice(0, 2), ...counted.slice(0, 2)];
  });
}

function labelOf({ columns }: Table): Column | undefined {
  return columns.find(({ name, isKey }) => /name|title/i.test(name) && !isKey);
}

function isTied(database: DatabaseSync, all: string): boolean {
  const count = rows(database, all)?.length ?? 0;
  return count >= 2 && count <= 5;
}

/** Any one of those that are tied. */
function single(database: DatabaseSync, all: string): readonly string[] {
  return (rows(database, all) ?? []).map((_, at) => `${all} LIMIT 1 OFFSET ${at}`);
}

/** `How many orders were there last year?`, where the data ended before. */
function lastYears(database: DatabaseSync, tables: readonly Table[], today: string): Found[] {
  const lastYear = Number(today.slice(0, 4)) - 1;
  return tables.flatMap((table): Found[] => {
    const [date] = table.columns.filter(isDate);
    if (date === undefined) return [];
    const newest = Number(text(database, `SELECT MAX(substr(${quoted(date.name)}, 1, 4)) FROM ${quoted(table.name)}`));
    if (!(newest > 1900 && newest < lastYear)) return [];
    const ofYear = (year: number): string => countOf(table, date, String(year));
    if (!differ(database, ofYear(lastYear), ofYear(newest))) return [];
    const asked = `How many ${plural(words(table.name))} were there last year?`;
    return [['last year', asked, [ofYear(lastYear)], [ofYear(newest), ofYear(newest - 1)]]];
  });
}

function countOf(table: Table, { name }: Column, year: string): string {
  return `SELECT COUNT(*) FROM ${quoted(table.name)} WHERE substr(${quoted(name)}, 1, 4) = '${year}'`;
}

function isDate({ name, type }: Column): boolean {
  return (/date|time/i.test(type) || /date|_at$/i.test(name)) && !/birth|dob|minute/i.test(name);
}

function isReference({ references }: Table, name: string): boolean {
  return references.some(({ from }) => from.toLowerCase() === name.toLowerCase());
}

function readTables(database: DatabaseSync): Table[] {
  const names = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    .all();
  return names.map(({ name }) => {
    const table = String(name);
    const columns = database.prepare(`PRAGMA table_info(${quoted(table)})`).all();
    const keys = database.prepare(`PRAGMA foreign_key_list(${quoted(table)})`).all();
    return {
      name: table,
      columns: columns.map((column) => ({
        name: String(column.name),
        type: String(column.type),
        isKey: Number(column.pk) > 0,
      })),
      references: keys.map((key) => ({ from: String(key.from), table: String(key.table) })),
    };
  });
}

function rows(database: DatabaseSync, sql: string): readonly Record<string, SQLOutputValue>[] | undefined {
  try {
    return database.prepare(sql).all();
  } catch {
    return undefined;
  }
}

function text(database: DatabaseSync, sql: string): string {
  return String(Object.values(rows(database, sql)?.[0] ?? {})[0] ?? '');
}

/** Both run, with rows, and give something else. */
function differ(database: DatabaseSync, first: string, second: string, least = 1): boolean {
  const [a, b] = [first, second].map((sql) =>
    rows(database, sql)
      ?.map((row) => Object.values(row).join('|'))
      .sort(),
  );
  return a !== undefined && b !== undefined && a.length >= least && b.length >= least && a.join('\n') !== b.join('\n');
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function words(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
}

function plural(noun: string): string {
  if (/s$/.test(noun)) return noun;
  return /[^aeiou]y$/.test(noun) ? noun.replace(/y$/, 'ies') : `${noun}${/(ch|sh|x)$/.test(noun) ? 'es' : 's'}`;
}

function singular(noun: string): string {
  return noun.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');
}
