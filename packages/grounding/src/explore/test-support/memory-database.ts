import type { AdapterSpec, Dialect, ResultColumn, Row } from '@askema/core';
import { AskemaError, resolveAdapter } from '@askema/core';
import { fixtureDialect } from '@askema/testkit';
import Database from 'better-sqlite3';

/** For tests: what SQLite needs of a dialect to be profiled, with JSON skeletons. */
export const memoryDialect: Dialect = {
  ...fixtureDialect,
  name: 'memory',
  identifiers: { ...fixtureDialect.identifiers, unquotedFolding: 'none', comparison: 'insensitive', qualifiers: [] },
  errors: [
    { pattern: 'no such (?:column|table): (?<name>.+)', errorClass: 'identifier' },
    { pattern: 'no such function: (?<name>.+)', errorClass: 'function' },
    { pattern: 'syntax error', errorClass: 'syntax' },
  ],
  probes: {
    frequent: 'SELECT {attribute}, COUNT(*) FROM {relation} GROUP BY {attribute} ORDER BY 2 DESC LIMIT {limit}',
    range: 'SELECT MIN({attribute}), MAX({attribute}) FROM {relation}',
    search: 'SELECT DISTINCT {attribute} FROM {relation} WHERE {attribute} LIKE {pattern} LIMIT {limit}',
    jsonFields:
      'SELECT DISTINCT f.fullkey, f.type FROM {relation}, json_tree({attribute}) AS f WHERE json_valid({attribute}) LIMIT {limit}',
  },
};

/** For tests: a database in memory as an adapter that notes what it was sent. */
export function memoryDatabase(script: string, parts: Partial<AdapterSpec> = {}) {
  const database = new Database(':memory:');
  database.exec(script);
  const sent: string[] = [];
  const adapter = resolveAdapter({
    contract: 1,
    dialect: memoryDialect,
    name: 'memory',
    access: 'read',
    executor: {
      async *execute(sql, { maxRows }) {
        sent.push(sql);
        const { columns, rows } = read(database, sql);
        yield { type: 'columns', columns };
        yield { type: 'rows', rows: rows.slice(0, maxRows) };
        yield { type: 'end', truncated: rows.length > maxRows ? 'rows' : undefined };
      },
    },
    introspector: {
      introspect: async () => {
        throw new AskemaError('INTERNAL', 'Catalogs of these tests are written by hand.');
      },
    },
    close: async () => {
      database.close();
    },
    ...parts,
  });
  return { adapter, sent };
}

function read(database: Database.Database, sql: string) {
  const statement = database.prepare(sql).raw();
  const columns: ResultColumn[] = statement.columns().map(({ name }) => ({ name, nativeType: '', type: 'TEXT' }));
  return { columns, rows: statement.all() as Row[] };
}
