import { duckdbDialect } from '@askema/dialects';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe } from 'vitest';
import { itComputesDays, type RunStatement } from './calendar-suite.ts';
import { itGivesTheSameValues, samplesTable } from './expression-suite.ts';

describe('DuckDB', () => {
  let instance: DuckDBInstance;
  let database: DuckDBConnection;
  beforeAll(async () => {
    instance = await DuckDBInstance.create(':memory:');
    database = await instance.connect();
    for (const sql of samplesTable()) await database.run(sql);
  });
  afterAll(() => {
    database.closeSync();
    instance.closeSync();
  });
  const run: RunStatement = async (sql) =>
    (await database.runAndReadAll(sql))
      .getRowsJson()
      .map((row) =>
        row.map((cell) => (cell === null ? null : String(typeof cell === 'boolean' ? Number(cell) : cell))),
      );

  itComputesDays(duckdbDialect, () => run);
  itGivesTheSameValues(duckdbDialect, () => run, []);
});
