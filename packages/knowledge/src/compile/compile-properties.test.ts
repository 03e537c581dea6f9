import { AskemaError } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bindKnowledge } from '../bind/bind-knowledge.ts';
import { bruteForce } from '../test-support/brute-force.ts';
import { bindStar, compiledOrRefused, faultOf, type Run } from '../test-support/check-star.ts';
import { JAFFLE_KNOWLEDGE } from '../test-support/jaffle/jaffle-model.ts';
import { JAFFLE_FILE, jaffleStar } from '../test-support/jaffle/jaffle-star.ts';
import { failureOf, hasJaffle, metricCases } from '../test-support/jaffle/metric-cases.ts';
import { isReachable } from '../test-support/plain-metrics.ts';
import { type Cell, type PlainRequest, type PlainStar, tableOf } from '../test-support/plain-star.ts';
import { anyRequest, randomRequest } from '../test-support/random/random-request.ts';
import { isAdditive, randomStar } from '../test-support/random/random-star.ts';
import { isFact } from '../test-support/random/random-tables.ts';
import { starCatalog, starStatements } from '../test-support/star-tables.ts';
import { compileMetrics } from './compile-metrics.ts';

const TIMES = Number(process.env.ASKEMA_PROPERTY_TIMES ?? 1);

const starAndRequests = randomStar().chain((star) =>
  fc.record({ star: fc.constant(star), requests: fc.array(randomRequest(star), { minLength: 2, maxLength: 4 }) }),
);

async function withTables(star: PlainStar, work: (run: Run) => Promise<void>): Promise<void> {
  const database = new Database(':memory:');
  try {
    for (const sql of starStatements(star, sqliteDialect)) database.exec(sql);
    await work((sql) => database.prepare(sql).raw().all() as unknown[][]);
  } finally {
    database.close();
  }
}

function valueOrThrown<Value>(work: () => Value): Value | Error {
  try {
    return work();
  } catch (thrown) {
    return thrown as Error;
  }
}

describe('compiled metrics of random stars, on SQLite', () => {
  it('have the values that loops over single tables find', { timeout: 60_000 * TIMES }, async () => {
    await fc.assert(
      fc.asyncProperty(starAndRequests, ({ star, requests }) =>
        withTables(star, async (run) => {
          const bound = bindStar(star, sqliteDialect);
          for (const request of requests) expect(await faultOf(bound, request, run)).toBeUndefined();
        }),
      ),
      { numRuns: 200 * TIMES },
    );
  });

  it('add up to the same total by whatever they are grouped', { timeout: 60_000 * TIMES }, async () => {
    await fc.assert(
      fc.asyncProperty(starAndRequests, ({ star, requests }) =>
        withTables(star, async (run) => {
          const bound = bindStar(star, sqliteDialect);
          for (const { by, where } of requests)
            for (const { name } of star.metrics.filter(isAdditive)) {
              const request: PlainRequest = { metrics: [name], by, where };
              if (!isReachable(star, request)) continue;
              const [[whole = null] = []] = [bruteForce(star, { ...request, by: [] }).values([])];
              const compiled = compiledOrRefused(bound, request);
              if (typeof compiled === 'string') throw new Error(`${name} is refused: ${compiled}`);
              const rows = await run(compiled.sql);
              const total = rows.reduce((sum, row) => sum + Number(row[by.length]), 0);
              expect(total).toBeCloseTo(Number(whole), 5);
            }
        }),
      ),
      { numRuns: 100 * TIMES },
    );
  });

  it('are refused with a code, or run, whatever is asked', { timeout: 60_000 * TIMES }, async () => {
    const starAndAny = randomStar().chain((star) =>
      fc.tuple(fc.constant(star), fc.array(anyRequest(star), { minLength: 5 })),
    );
    await fc.assert(
      fc.asyncProperty(starAndAny, ([star, requests]) =>
        withTables(star, async (run) => {
          const { bound } = bindStar(star, sqliteDialect);
          for (const request of requests) {
            const compiled = valueOrThrown(() => compileMetrics(request, bound));
            if (compiled instanceof Error) expect(compiled).toBeInstanceOf(AskemaError);
            else await run(compiled.sql);
          }
        }),
      ),
      { numRuns: 100 * TIMES },
    );
  });

  it('count a row once for each group where rows repeat and that is wanted', { timeout: 60_000 * TIMES }, async () => {
    await fc.assert(
      fc.asyncProperty(randomStar(), (star) =>
        withTables(star, async (run) => {
          const { bound } = bindStar(star, sqliteDialect);
          for (const fact of star.tables.filter(({ name, filter }) => filter === undefined && isFact(name))) {
            const request = { metrics: ['shops'], by: [`${fact.name}.kind`] };
            expect(() => compileMetrics(request, bound)).toThrow(fact.name);
            const { sql } = compileMetrics({ ...request, fanOut: 'once' }, bound);
            const counts = new Map<Cell, number>();
            for (const shop of tableOf(star, 'shop').rows) {
              const kinds = fact.rows.filter((row) => row.shop_id === shop.shop_id).map((row) => row.kind ?? null);
              for (const kind of new Set(kinds.length === 0 ? [null] : kinds))
                counts.set(kind, (counts.get(kind) ?? 0) + 1);
            }
            expect(new Map((await run(sql)) as [Cell, number][])).toEqual(counts);
          }
        }),
      ),
      { numRuns: 60 * TIMES },
    );
  });
});

describe.runIf(hasJaffle)('the metrics of jaffle-shop, on SQLite', () => {
  const database = hasJaffle ? new Database(JAFFLE_FILE, { readonly: true }) : undefined;
  it.each(metricCases().map((one) => [one.metric, one] as const))('%s', async (_, one) => {
    const bound = bindKnowledge(JAFFLE_KNOWLEDGE, {
      catalog: starCatalog(jaffleStar({ typed: false }), sqliteDialect),
      dialect: sqliteDialect,
    });
    expect(bound.problems).toEqual([]);
    const run = async (sql: string) => database?.prepare(sql).raw().all() as unknown[][];
    expect(await failureOf(one, { bound, compile: compileMetrics, run })).toBeUndefined();
  });
});
