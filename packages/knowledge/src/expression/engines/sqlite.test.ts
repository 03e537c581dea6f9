import { sqliteDialect } from '@askema/dialects';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe } from 'vitest';
import { itComputesDays, type RunStatement } from './calendar-suite.ts';
import { itGivesTheSameValues, samplesTable } from './expression-suite.ts';

describe('SQLite', () => {
  let database: Database.Database;
  beforeAll(() => {
    database = new Database(':memory:');
    for (const sql of samplesTable()) database.exec(sql);
  });
  afterAll(() => {
    database.close();
  });
  const run: RunStatement = async (sql) =>
    (database.prepare(sql).raw().all() as unknown[][]).map((row) =>
      row.map((cell) => (cell === null ? null : String(cell))),
    );

  itComputesDays(sqliteDialect, () => run);
  itGivesTheSameValues(sqliteDialect, () => run, [
    'STDDEV',
    'VARIANCE',
    'STDDEV_POP',
    'VAR_POP',
    'SPLIT_PART',
    'REGEXP_LIKE',
  ]);
});
