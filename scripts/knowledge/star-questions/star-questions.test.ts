import { DatabaseSync } from 'node:sqlite';
import { sqliteDialect } from '@askema/dialects';
import { expect, it } from 'vitest';
import { isSettled } from '../../../packages/knowledge/src/test-support/agreement.ts';
import { bindStar, faultOf } from '../../../packages/knowledge/src/test-support/check-star.ts';
import { starStatements } from '../../../packages/knowledge/src/test-support/star-tables.ts';
import { DEVELOPED } from './developed.ts';
import { goldResult } from './gold.ts';
import { HELD_OUT } from './held-out.ts';
import { STAR } from './star.ts';

const ALL = [...DEVELOPED, ...HELD_OUT];

it('asks 150 different questions, a fifth of which nothing answers', () => {
  expect(new Set(ALL.map(({ question }) => question)).size).toBe(150);
  expect(ALL.filter(({ means }) => means.length === 0).length).toBe(30);
});

it('has one right answer for each meaning, and metrics compile to it', { timeout: 60_000 }, async () => {
  const database = new DatabaseSync(':memory:');
  for (const sql of starStatements(STAR, sqliteDialect)) database.exec(sql);
  const run = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row));
  const bound = bindStar(STAR, sqliteDialect);
  const faults: string[] = [];
  for (const { id, means } of ALL)
    for (const request of means) {
      if (!isSettled(STAR, request)) faults.push(`${id} may mean several things.`);
      const fault = await faultOf(bound, request, run);
      if (fault !== undefined) faults.push(`${id}: ${fault}`);
    }
  database.close();
  expect(faults).toEqual([]);
});

it('has no ties where the first are asked for', () => {
  for (const request of ALL.flatMap(({ means }) => means)) {
    const { limit } = request;
    if (limit === undefined) continue;
    const rows = goldResult(STAR, { ...request, limit: limit + 1 }).rows.map((row) => row.at(-1));
    expect(rows[limit - 1]).not.toBe(rows[limit]);
  }
});
