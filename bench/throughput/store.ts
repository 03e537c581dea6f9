import Database from 'better-sqlite3';
import { makeStore } from '../../examples/make-store.ts';
import { STORE_SCHEMA } from '../../examples/store/store-schema.ts';
import { scratchFile } from '../harness/scratch.ts';

/** The sample database, made anew: how it was last written does not count. */
export const storeFile = (): Promise<string> =>
  scratchFile('store.sqlite', async (path) => {
    await makeStore(path);
    const database = new Database(path);
    database.exec(VISITS);
    database.close();
  });

/** A relation with more rows than the sample database has, in SQL that all three engines run. */
const VISITS = `CREATE TABLE visits AS
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 15000)
  SELECT i AS visit_id, (i * 7919) % 240 AS customer_id, (i * 31) % 12 AS page, (i * 1031) % 600 AS seconds FROM n`;

/** The sample database as statements of PostgreSQL and DuckDB. What is generated in SQLite is a plain column here. */
export async function* storeStatements(): AsyncGenerator<string> {
  yield STORE_SCHEMA.replace(/ GENERATED ALWAYS AS \(.*\) STORED/, '')
    .replace(/^.* WHERE "Closed At" IS NULL;$/m, '')
    .replaceAll(/BOOLEAN NOT NULL DEFAULT 0 CHECK \(\w+ IN \(0, 1\)\)/g, 'SMALLINT NOT NULL')
    .replaceAll('DATETIME', 'TIMESTAMP')
    .replaceAll(' ON DELETE CASCADE', '');
  const database = new Database(await storeFile(), { readonly: true });
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'visits' ORDER BY rowid")
    .pluck()
    .all();
  for (const table of tables as string[]) {
    const rows = database.prepare(`SELECT * FROM "${table}"`).raw().all() as (string | number | null)[][];
    for (const row of rows) yield `INSERT INTO "${table}" VALUES (${row.map(literal).join(', ')})`;
  }
  database.close();
  yield VISITS;
}

function literal(cell: string | number | null): string {
  return typeof cell === 'string' ? `'${cell.replaceAll("'", "''")}'` : String(cell ?? 'NULL');
}
