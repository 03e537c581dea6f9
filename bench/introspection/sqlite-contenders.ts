import { resolveAdapter } from '@askema/core';
import { sqlite } from '@askema/sqlite';
import Database from 'better-sqlite3';
import type { Work } from '../harness/bench.ts';
import { scratchFile } from '../harness/scratch.ts';
import { createStatements, expectCounts } from './tables.ts';

export const sqliteFile = (tables: number): Promise<string> =>
  scratchFile(`tables-${tables}.sqlite`, (file) => {
    const database = new Database(file);
    database.exec('BEGIN');
    for (const statement of createStatements(tables)) database.exec(statement);
    database.exec('COMMIT');
    database.close();
  });

export async function askema(tables: number, rowCountTimeoutMs: number | undefined): Promise<Work> {
  const adapter = resolveAdapter(sqlite({ file: await sqliteFile(tables), rowCountTimeoutMs }));
  return {
    run: async () => {
      const catalog = await adapter.introspect();
      expectCounts(
        { tables: Object.keys(catalog.relations).length, columns: Object.keys(catalog.attributes).length },
        tables,
      );
      return catalog;
    },
    close: () => adapter.close(),
  };
}

const STATEMENTS = [
  `SELECT s.name, x.name, x.type, x."notnull", x.dflt_value, x.pk FROM sqlite_schema AS s JOIN pragma_table_xinfo(s.name) AS x WHERE s.type = 'table'`,
  `SELECT s.name, f.id, f.seq, f."table", f."from", f."to" FROM sqlite_schema AS s JOIN pragma_foreign_key_list(s.name) AS f WHERE s.type = 'table'`,
  `SELECT s.name, i.name, i."unique", k.seqno, k.name FROM sqlite_schema AS s JOIN pragma_index_list(s.name) AS i JOIN pragma_index_info(i.name) AS k WHERE s.type = 'table'`,
];

/** Three statements in this process, their rows grouped by table and nothing else: the least that can be done. */
export async function rawStatements(tables: number): Promise<Work> {
  const database = new Database(await sqliteFile(tables), { readonly: true });
  return {
    run: () => {
      const grouped = STATEMENTS.map((statement) => {
        const byTable = new Map<string, unknown[][]>();
        for (const row of database.prepare(statement).raw().iterate() as IterableIterator<unknown[]>) {
          const rows = byTable.get(String(row[0]));
          if (rows === undefined) byTable.set(String(row[0]), [row]);
          else rows.push(row);
        }
        return byTable;
      });
      const columns = grouped[0] ?? new Map();
      expectCounts({ tables: columns.size, columns: [...columns.values()].flat().length }, tables);
      return grouped;
    },
    close: () => database.close(),
  };
}

export async function kysely(tables: number): Promise<Work> {
  const { Kysely, SqliteDialect } = await import('kysely');
  const database = new Database(await sqliteFile(tables), { readonly: true });
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) });
  return {
    run: async () => {
      const found = await db.introspection.getTables();
      expectCounts({ tables: found.length, columns: found.flatMap(({ columns }) => columns).length }, tables);
      return found;
    },
    close: () => db.destroy(),
  };
}

export async function knex(tables: number): Promise<Work> {
  const { default: createKnex } = await import('knex');
  const db = createKnex({
    client: 'better-sqlite3',
    connection: { filename: await sqliteFile(tables) },
    useNullAsDefault: true,
  });
  return {
    run: async () => {
      const names: { readonly name: string }[] = await db('sqlite_schema').select('name').where('type', 'table');
      const found = [];
      for (const { name } of names) found.push(await db(name).columnInfo());
      expectCounts({ tables: found.length, columns: found.flatMap((columns) => Object.keys(columns)).length }, tables);
      return found;
    },
    close: () => db.destroy(),
  };
}
