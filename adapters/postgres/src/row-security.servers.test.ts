import { type AskemaError, resolveAdapter } from '@askema/core';
import { expect, it } from 'vitest';
import { postgres } from './postgres.ts';
import { databaseWith } from './test-support/database-with.ts';

const SCHEMA = `
  CREATE TABLE visit (id INT PRIMARY KEY, clinic TEXT, patient TEXT) PARTITION BY RANGE (id);
  CREATE TABLE visit_1 PARTITION OF visit FOR VALUES FROM (0) TO (10000);
  INSERT INTO visit SELECT i, CASE WHEN i % 2 = 0 THEN 'north' ELSE 'south' END,
    CASE WHEN i % 2 = 0 THEN 'n' || i ELSE 'often in the south' END FROM generate_series(1, 4000) AS i;
  CREATE TABLE city (name TEXT);
  CREATE POLICY own ON visit USING (clinic = current_user);
  ALTER TABLE visit ENABLE ROW LEVEL SECURITY;
  CREATE ROLE north;
  GRANT SELECT ON visit, visit_1, city TO north;
  ANALYZE;`;

const place = databaseWith(SCHEMA);

it('neither plans nor EXPLAIN tell by estimates which values are in rows that a policy keeps back', async () => {
  const { host, port, database, user, password } = place();
  const whole = resolveAdapter(postgres({ ...{ host, port, database, user, password }, poolSize: 1 }));
  const north = whole.scope({ role: 'north' });
  const limits = { timeoutMs: 10_000, context: { runId: 'r', path: 'p', idempotencyKey: 'r/p', tags: {} } };
  try {
    const guess = "SELECT 1 FROM visit WHERE patient = 'often in the south'";
    expect((await whole.planner.check(guess, limits)).estimatedRows).toBeGreaterThan(1_000);
    for (const sql of [guess, `SELECT count(*) FROM (${guess}) AS g`, `WITH g AS (${guess}) SELECT * FROM g, city`]) {
      const plan = await north.planner.check(sql, limits);
      expect(plan).toMatchObject({ verdict: 'ok', relations: expect.arrayContaining(['public.visit']) });
      expect([plan.estimatedRows, plan.estimatedBytes]).toEqual([undefined, undefined]);
    }
    expect((await north.planner.check('SELECT name FROM city', limits)).estimatedRows).toBeGreaterThan(0);
    for (const sql of [`EXPLAIN ${guess}`, `/* a */ explain (FORMAT JSON) ${guess}`]) {
      const codeOf = (work: Promise<unknown>) =>
        work.then(
          () => 'ran',
          ({ code }: AskemaError) => code,
        );
      expect(await codeOf(north.query(sql))).toBe('QUERY_REFUSED');
      expect(await north.planner.check(sql, limits)).toMatchObject({ verdict: 'invalid' });
      expect(await codeOf(whole.query(sql))).toBe('ran');
    }
  } finally {
    await north.close();
    await whole.close();
  }
});
