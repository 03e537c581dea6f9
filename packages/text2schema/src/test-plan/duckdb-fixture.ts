import { type AdapterSpec, EMPTY_SCHEMA, finishCatalog, type Parameter, type Row } from '@askema/core';
import { duckdbDialect } from '@askema/dialects';
import { DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';

/** For tests: an empty DuckDB in memory; of an adapter it has only what a test run needs. */
export async function duckdbScratch(): Promise<AdapterSpec> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  return {
    contract: 1,
    dialect: duckdbDialect,
    name: 'memory',
    access: 'write',
    executor: {
      async *execute(sql, { parameters }) {
        const values = (parameters ?? []) as readonly Parameter[];
        const result = await connection.runAndReadAll(sql, values.length === 0 ? undefined : (values as DuckDBValue[]));
        yield {
          type: 'columns',
          columns: result.columnNames().map((name) => ({ name, nativeType: '', type: 'TEXT' as const })),
        };
        yield { type: 'rows', rows: result.getRowsJson() as Row[] };
        yield { type: 'end' };
      },
    },
    introspector: {
      introspect: async () =>
        finishCatalog({
          schemaVersion: 1,
          dialect: 'duckdb',
          name: 'memory',
          nameComparison: 'insensitive',
          schema: EMPTY_SCHEMA,
          relations: {},
          attributes: {},
          uniqueKeys: [],
          checks: [],
          families: [],
          keyStanding: {},
          incomplete: [],
        }),
    },
    close: async () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
