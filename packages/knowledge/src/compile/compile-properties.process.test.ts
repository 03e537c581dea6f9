import { duckdbDialect } from '@askema/dialects';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { bindKnowledge } from '../bind/bind-knowledge.ts';
import { JAFFLE_KNOWLEDGE } from '../test-support/jaffle/jaffle-model.ts';
import { jaffleStar } from '../test-support/jaffle/jaffle-star.ts';
import { failureOf, hasJaffle, metricCases } from '../test-support/jaffle/metric-cases.ts';
import { faultsOfSample, type StarDatabase } from '../test-support/random/sample-stars.ts';
import { starCatalog, starStatements } from '../test-support/star-tables.ts';
import { compileMetrics } from './compile-metrics.ts';

const TIMES = Number(process.env.ASKEMA_PROPERTY_TIMES ?? 1);

async function open(statements: readonly string[]): Promise<StarDatabase> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  for (const sql of statements) await connection.run(sql);
  return {
    run: async (sql) => (await connection.runAndReadAll(sql)).getRows().map((row) => row.map(plain)),
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** Dates, times and decimals are objects with a text. */
const plain = (cell: unknown): unknown => (typeof cell === 'object' && cell !== null ? String(cell) : cell);

describe('compiled metrics on DuckDB', () => {
  it('have the values that loops over single tables find', { timeout: 120_000 * TIMES }, async () => {
    const sample = { dialect: duckdbDialect, seed: 31, stars: 80 * TIMES, requests: 4, open };
    expect(await faultsOfSample(sample)).toEqual([]);
  });

  it.runIf(hasJaffle)('are those of jaffle-shop', async () => {
    const star = jaffleStar({ typed: true });
    const bound = bindKnowledge(JAFFLE_KNOWLEDGE, {
      catalog: starCatalog(star, duckdbDialect),
      dialect: duckdbDialect,
    });
    const { run, close } = await open(starStatements(star, duckdbDialect));
    const engine = { bound, compile: compileMetrics, run: async (sql: string) => run(sql) };
    const failures: Record<string, string> = {};
    for (const one of metricCases()) {
      const failure = await failureOf(one, engine);
      if (failure !== undefined) failures[one.metric] = failure;
    }
    await close();
    expect(failures).toEqual({});
  });
});
