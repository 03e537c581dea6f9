import { resolveAdapter } from '@askema/core';
import { bigqueryDialect, snowflakeDialect } from '@askema/dialects';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startZetaSql, tablesOfCatalog } from '../../adapters/bigquery/src/generated-sql/zetasql.ts';
import { bindStar, compiledOrRefused, faultOf } from '../../packages/knowledge/src/test-support/check-star.ts';
import type { PlainStar } from '../../packages/knowledge/src/test-support/plain-star.ts';
import { randomRequest } from '../../packages/knowledge/src/test-support/random/random-request.ts';
import { randomStar } from '../../packages/knowledge/src/test-support/random/random-star.ts';
import { starCatalog } from '../../packages/knowledge/src/test-support/star-tables.ts';
import { LOADERS } from '../same-answers/engines.ts';
import type { StoreTable } from '../same-answers/store-tables.ts';
import { DEVELOPED } from './star-questions/developed.ts';
import { STAR } from './star-questions/star.ts';

const SEED = 53;

test('Google’s analyzer of BigQuery’s SQL understands compiled metrics', async () => {
  const zetasql = await startZetaSql();
  const problems: string[] = [];
  try {
    for (const [at, star] of fc.sample(randomStar(), { seed: SEED, numRuns: 60 }).entries()) {
      const catalog = starCatalog(star, bigqueryDialect);
      const bound = bindStar(star, bigqueryDialect, catalog);
      const tables = tablesOfCatalog(catalog);
      for (const request of fc.sample(randomRequest(star), { seed: SEED + at, numRuns: 4 })) {
        const compiled = compiledOrRefused(bound, request);
        if (typeof compiled === 'string') continue;
        const analysis = await zetasql.analyze(compiled.sql, { tables });
        if (!analysis.ok) problems.push(`${analysis.error}\n${compiled.sql}`);
      }
    }
  } finally {
    await zetasql.stop();
  }
  expect(problems).toEqual([]);
});

test('metrics have the values of brute force on fakesnow', { timeout: 600_000 }, async () => {
  const engine = await LOADERS.snowflake(storeTables(STAR));
  const adapter = resolveAdapter(engine.open());
  try {
    const bound = bindStar(STAR, snowflakeDialect);
    const run = async (sql: string) => (await adapter.query(sql)).rows;
    const faults: string[] = [];
    for (const { question, means } of DEVELOPED)
      for (const request of means) {
        const fault = await faultOf(bound, request, run);
        if (fault !== undefined) faults.push(`${question}: ${fault}`);
      }
    expect(faults).toEqual([]);
  } finally {
    await adapter.close();
    await engine.stop();
  }
});

function storeTables(star: PlainStar): readonly StoreTable[] {
  return star.tables.map(({ name, source = name, columns, key, rows }) => ({
    name: source,
    columns: columns.map((column) => ({
      name: column.name,
      type: column.type === 'timestamp' ? 'datetime' : column.type,
      notNull: column.name === key,
    })),
    key: key === undefined ? [] : [key],
    foreignKeys: [],
    rows: rows.map((row) => columns.map((column) => row[column.name] ?? null)),
  }));
}
