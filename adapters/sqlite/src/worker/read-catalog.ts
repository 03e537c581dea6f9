import type {
  RawAttribute,
  RawCatalog,
  RawEstimate,
  RawForeignKeyPart,
  RawRelation,
  RawUniqueKeyPart,
} from '../protocol.ts';
import type { Database } from './driver.ts';

/** Tables, views and virtual tables; the shadow tables behind virtual ones and SQLite's own are left out. */
const RELATIONS = `
WITH listed AS MATERIALIZED (SELECT name, type FROM pragma_table_list WHERE schema = 'main')
SELECT s.name, l.type, s.sql FROM sqlite_schema AS s JOIN listed AS l ON l.name = s.name
WHERE s.type IN ('table', 'view') AND l.type IN ('table', 'view', 'virtual') AND s.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
ORDER BY s.rowid`;

/**
 * One row a column; \`hidden\` 1 is internal to a virtual table, 2 and 3 are generated
 * (https://sqlite.org/pragma.html#pragma_table_xinfo).
 */
const ATTRIBUTES = `
SELECT s.name, x.name, x.type, x."notnull", x.dflt_value, x.pk, x.hidden
FROM sqlite_schema AS s JOIN pragma_table_xinfo(s.name, 'main') AS x
WHERE s.type IN ('table', 'view') AND s.name IN (SELECT value FROM json_each(?)) ORDER BY s.rowid, x.cid`;

/** SQLite lists the foreign keys of a table from the last to the first. */
const FOREIGN_KEYS = `
SELECT s.name, f.id, f.seq, f."table", f."from", f."to"
FROM sqlite_schema AS s JOIN pragma_foreign_key_list(s.name, 'main') AS f
WHERE s.type = 'table' AND s.name IN (SELECT value FROM json_each(?)) ORDER BY s.rowid, f.id DESC, f.seq`;

/** Unique constraints and unique indexes that hold for every row; an expression has no name. */
const UNIQUE_KEYS = `
SELECT s.name, i.name, k.seqno, k.name
FROM sqlite_schema AS s JOIN pragma_index_list(s.name, 'main') AS i JOIN pragma_index_xinfo(i.name, 'main') AS k
WHERE s.type = 'table' AND s.name IN (SELECT value FROM json_each(?)) AND i."unique" AND NOT i.partial AND i.origin <> 'pk' AND k.key
ORDER BY s.rowid, i.seq DESC, k.seqno`;

const ESTIMATES = 'SELECT tbl, stat FROM sqlite_stat1 ORDER BY rowid';

/** Reads the catalog in one snapshot, by a number of statements that does not depend on its size. */
export function readCatalog(database: Database): RawCatalog {
  database.exec('BEGIN');
  try {
    const relations = rows<RawRelation>(database, RELATIONS);
    const { attributes, broken } = readAttributes(database, relations);
    const tables = JSON.stringify(relations.filter(([, kind]) => kind === 'table').map(([name]) => name));
    const analyzed = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'").get() !== undefined;
    return {
      relations,
      attributes,
      broken,
      foreignKeys: rows<RawForeignKeyPart>(database, FOREIGN_KEYS, tables),
      uniqueKeys: rows<RawUniqueKeyPart>(database, UNIQUE_KEYS, tables),
      estimates: analyzed ? rows<RawEstimate>(database, ESTIMATES) : [],
    };
  } finally {
    database.exec('COMMIT');
  }
}

/** One broken view fails the statement over all of them: then each is prepared, and the broken ones are left out. */
function readAttributes(
  database: Database,
  relations: readonly RawRelation[],
): { readonly attributes: RawAttribute[]; readonly broken: RawCatalog['broken'] } {
  const read = (names: readonly string[]) => rows<RawAttribute>(database, ATTRIBUTES, JSON.stringify(names));
  const names = relations.map(([name]) => name);
  try {
    return { attributes: read(names), broken: [] };
  } catch {
    const broken = relations.flatMap(([relation]) => {
      const message = complaint(database, relation);
      return message === undefined ? [] : [{ relation, message }];
    });
    const out = new Set(broken.map(({ relation }) => relation));
    return { attributes: read(names.filter((name) => !out.has(name))), broken };
  }
}

function complaint(database: Database, relation: string): string | undefined {
  try {
    database.prepare(`SELECT * FROM main."${relation.replaceAll('"', '""')}"`);
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

function rows<T>(database: Database, sql: string, ...parameters: readonly unknown[]): T[] {
  return database
    .prepare(sql)
    .raw()
    .all(...parameters) as T[];
}
