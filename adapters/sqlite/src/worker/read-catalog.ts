import type { Conversation, LastAnswer } from '@askema/adapter-kit/process';
import type {
  LeftOut,
  RawAttribute,
  RawCatalog,
  RawEstimate,
  RawForeignKeyPart,
  RawRelation,
  RawUniqueKeyPart,
  SqliteTalk,
} from '../protocol.ts';
import { significantTokens } from '../sql/tokens.ts';
import type { Database } from './driver.ts';

/*
 * SQLite's own table-valued functions stand behind `temp.`: an object of the file that has the name of one would be
 * taken instead, and the file's objects are never in that schema.
 */

const RELATIONS = `
SELECT name, type, sql FROM sqlite_schema
WHERE type IN ('table', 'view') AND sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid`;

/**
 * One row a column; \`hidden\` 1 is internal to a virtual table, 2 and 3 are generated
 * (https://sqlite.org/pragma.html#pragma_table_xinfo).
 */
const ATTRIBUTES = `
SELECT s.name, x.name, x.type, x."notnull", x.dflt_value, x.pk, x.hidden
FROM sqlite_schema AS s JOIN temp.pragma_table_xinfo(s.name, 'main') AS x
WHERE s.type IN ('table', 'view') AND s.name IN (SELECT value FROM temp.json_each(?)) ORDER BY s.rowid, x.cid`;

/** SQLite lists the foreign keys of a table from the last to the first. */
const FOREIGN_KEYS = `
SELECT s.name, f.id, f.seq, f."table", f."from", f."to"
FROM sqlite_schema AS s JOIN temp.pragma_foreign_key_list(s.name, 'main') AS f
WHERE s.type = 'table' AND s.name IN (SELECT value FROM temp.json_each(?)) ORDER BY s.rowid, f.id DESC, f.seq`;

/** Unique constraints and unique indexes that hold for every row; an expression has no name. */
const UNIQUE_KEYS = `
SELECT s.name, i.name, k.seqno, k.name
FROM sqlite_schema AS s JOIN temp.pragma_index_list(s.name, 'main') AS i JOIN temp.pragma_index_xinfo(i.name, 'main') AS k
WHERE s.type = 'table' AND s.name IN (SELECT value FROM temp.json_each(?)) AND i."unique" AND NOT i.partial AND i.origin <> 'pk' AND k.key
ORDER BY s.rowid, i.seq DESC, k.seqno`;

/** The estimate stands at the beginning of a statistic, and nobody needs more rows than a large catalog has. */
const ESTIMATES = 'SELECT tbl, substr(stat, 1, 40) FROM sqlite_stat1 ORDER BY rowid LIMIT 100000';

/** Nobody needs more of the text of one relation, nor of all of them. */
const DEFINITION_CHARACTERS = 1_000_000;
const COLUMN_CHARACTERS = 250_000;
const ALL_CHARACTERS = 32_000_000;

/**
 * Reads in one snapshot, by a number of statements that does not depend on its size, what the schema itself holds. The
 * columns of views and virtual tables are asked for with {@link readColumns}.
 */
export function readCatalog(database: Database): RawCatalog {
  database.exec('BEGIN');
  try {
    const leftOut: LeftOut[] = [];
    const relations = readRelations(database, leftOut);
    const names = relations.filter(([, kind]) => kind === 'table').map(([name]) => name);
    const tables = JSON.stringify(names);
    const isAnalyzed = database
      .prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1' AND type = 'table' AND rootpage > 0")
      .get();
    return {
      relations,
      attributes: ofFittingSize(rows<RawAttribute>(database, ATTRIBUTES, tables), leftOut),
      foreignKeys: rows<RawForeignKeyPart>(database, FOREIGN_KEYS, tables),
      uniqueKeys: rows<RawUniqueKeyPart>(database, UNIQUE_KEYS, tables),
      estimates: isAnalyzed === undefined ? [] : rows<RawEstimate>(database, ESTIMATES),
      leftOut,
    };
  } finally {
    database.exec('COMMIT');
  }
}

/**
 * Tables, views and virtual tables; the shadow tables behind virtual ones and SQLite's own are left out. SQLite's own
 * list of tables is not asked: for that, it works out the columns of every view.
 */
function readRelations(database: Database, leftOut: LeftOut[]): RawRelation[] {
  const listed = rows<readonly [string, 'table' | 'view', string]>(database, RELATIONS).map(
    ([name, type, sql]): RawRelation => [name, type === 'table' && isVirtual(sql) ? 'virtual' : type, sql],
  );
  const virtual = new Set(listed.flatMap(([name, kind]) => (kind === 'virtual' ? [name.toLowerCase()] : [])));
  let characters = 0;
  return listed.flatMap(([name, kind, sql]) => {
    const maybeShadow =
      kind === 'table' && virtual.has(name.slice(0, Math.max(0, name.lastIndexOf('_'))).toLowerCase());
    if (maybeShadow && isShadow(database, name)) return [];
    const length = sql?.length ?? 0;
    characters += length;
    if (length <= DEFINITION_CHARACTERS && characters <= ALL_CHARACTERS) return [[name, kind, sql]];
    const why =
      length > DEFINITION_CHARACTERS
        ? `its definition has ${length} characters, more than ${DEFINITION_CHARACTERS}`
        : `it and the definitions before it have more than ${ALL_CHARACTERS} characters`;
    leftOut.push([name, why]);
    return [[name, kind, null]];
  });
}

/** Without the columns of relations whose names, types and defaults are too long together. */
function ofFittingSize(attributes: readonly RawAttribute[], leftOut: LeftOut[]): RawAttribute[] {
  const sizes = new Map<string, number>();
  for (const [relation, ...parts] of attributes)
    for (const part of parts)
      if (typeof part === 'string') sizes.set(relation, (sizes.get(relation) ?? 0) + part.length);
  for (const [relation, size] of sizes)
    if (size > COLUMN_CHARACTERS)
      leftOut.push([
        relation,
        `its columns have ${size} characters in names and types, more than ${COLUMN_CHARACTERS}`,
      ]);
  return attributes.filter(([relation]) => (sizes.get(relation) ?? 0) <= COLUMN_CHARACTERS);
}

function isVirtual(sql: string): boolean {
  const tokens = significantTokens(sql);
  tokens.next();
  return tokens.next().value?.text.toUpperCase() === 'VIRTUAL';
}

/** The defensive mode lets nobody change a shadow table, and SQLite says so when a statement is prepared. */
function isShadow(database: Database, name: string): boolean {
  return (
    complaintOf(() => database.prepare(`DELETE FROM main.${quoted(name)}`)) === `table ${name} may not be modified`
  );
}

/**
 * Sends the columns of each relation as they are found, in the order of the names; see `RawColumns`.
 */
export async function readColumns(
  database: Database,
  names: readonly string[],
  conversation: Conversation<SqliteTalk>,
): Promise<LastAnswer<SqliteTalk>> {
  for (const name of names) {
    let columns: RawAttribute[] = [];
    const tooLong: LeftOut[] = [];
    const complaint = complaintOf(() => {
      columns = ofFittingSize(rows<RawAttribute>(database, ATTRIBUTES, JSON.stringify([name])), tooLong);
    });
    await conversation.sendRows([[name, complaint ?? tooLong[0]?.[1] ?? null], ...columns]);
    // The next one may take its time, and SQLite lets nothing be sent meanwhile.
    conversation.flush();
  }
  return { type: 'end' };
}

function complaintOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function rows<T>(database: Database, sql: string, ...parameters: readonly unknown[]): T[] {
  return database
    .prepare(sql)
    .raw()
    .all(...parameters) as T[];
}
