import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compareGold, type GoldReport, goldQuestions } from './test-support/gold-queries.ts';
import { differenceOf } from './test-support/same-cells.ts';
import { type StartedPostgres, startPostgres } from './test-support/start-postgres.ts';

/** Real databases with real questions, read where they are there. */
const repository = resolve(import.meta.dirname, '../../..');
const folder = resolve(repository, process.env.ASKEMA_DATA ?? '../shared/data', 'text2sql-dev');
const missing = !existsSync(folder);
const why = missing ? ` (SKIPPED: no ${folder}; set ASKEMA_DATA to the folder that holds text2sql-dev)` : '';

let server: StartedPostgres;
beforeAll(async () => {
  server = await startPostgres();
}, 120_000);
afterAll(() => server?.stop(), 60_000);

it('knows what is the same cell, and what is not', () => {
  expect(differenceOf([[1, '1.50', 'a']], [['1', '1.5', 'a']])).toBeUndefined();
  expect(
    differenceOf([['2024-01-02', 'P1D']], [[new Date(2024, 0, 2), { toISOString: () => 'P0Y0M1DT0H0M0S' }]]),
  ).toBeUndefined();
  expect(differenceOf([[9007199254740993n]], [['9007199254740992']])).toBeDefined();
  expect(differenceOf([['P1M']], [[{ toISOString: () => 'PT1M' }]])).toBeDefined();
  expect(differenceOf([[null]], [['']])).toBeDefined();
  expect(differenceOf([[1]], [])).toBeDefined();
});

it.skipIf(missing)(
  `the databases load and are read fully, and gold queries give what the plain driver gives${why}`,
  { timeout: 300_000 },
  async () => {
    const reports: GoldReport[] = [];
    for (const [database, questions] of goldQuestions(folder))
      reports.push(await compareGold(server, folder, database, questions));
    expect(reports.flatMap(({ incomplete }) => incomplete)).toEqual([]);
    expect(reports.every(({ relations, attributes }) => relations > 1 && attributes > relations)).toBe(true);
    const defog = reports.filter(({ database }) => database !== 'superhero');
    expect(defog.reduce((sum, { questions }) => sum + questions, 0)).toBe(314);
    expect(defog.reduce((sum, { same }) => sum + same, 0)).toBeGreaterThanOrEqual(300);
    const superhero = reports.find(({ database }) => database === 'superhero');
    expect(superhero?.differences).toEqual([]);
  },
);
