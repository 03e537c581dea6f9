import { sqliteDialect } from '@askema/dialects';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bindStar, compiledOrRefused } from '../test-support/check-star.ts';
import { isOperation, type PlainAggregate, type PlainCondition, type PlainStar } from '../test-support/plain-star.ts';
import { randomRequest } from '../test-support/random/random-request.ts';
import { randomStar } from '../test-support/random/random-star.ts';
import { checkParsed } from './test-support/check-parsed.ts';
import { anyStyle, isWritten, type Style, type Written, writeMetric } from './test-support/written-metric.ts';

const TIMES = Number(process.env.ASKEMA_PROPERTY_TIMES ?? 1);
const starAndStyles = randomStar().chain((star) =>
  fc.record({ star: fc.constant(star), styles: fc.array(anyStyle, { minLength: 3, maxLength: 6 }) }),
);

it('definitions of random models, written otherwise, are not doubted', { timeout: 60_000 * TIMES }, async () => {
  await fc.assert(
    fc.asyncProperty(starAndStyles, async ({ star, styles }) => {
      const { bound } = bindStar(star, sqliteDialect);
      for (const metric of star.metrics.filter(isWritten))
        for (const style of styles) {
          const sql = writeMetric(star, metric, style);
          const found = await checkParsed(sql, bound, `What is ${metric.name}?`);
          if (found.length > 0) throw new Error(`${found[0]?.message}\n${sql}`);
        }
    }),
    { numRuns: 40 * TIMES },
  );
});

it('statements that metrics are compiled to are not doubted', { timeout: 60_000 * TIMES }, async () => {
  const starAndRequests = randomStar().chain((star) =>
    fc.record({ star: fc.constant(star), requests: fc.array(randomRequest(star), { minLength: 2, maxLength: 4 }) }),
  );
  await fc.assert(
    fc.asyncProperty(starAndRequests, async ({ star, requests }) => {
      const bound = bindStar(star, sqliteDialect);
      for (const request of requests) {
        const compiled = compiledOrRefused(bound, request);
        if (typeof compiled === 'string') continue;
        const found = await checkParsed(compiled.sql, bound.bound, `What is ${request.metrics.join(' and ')}?`);
        if (found.length > 0) throw new Error(`${found[0]?.message}\n${compiled.sql}`);
      }
    }),
    { numRuns: 40 * TIMES },
  );
});

it('definitions with one thing changed are doubted', { timeout: 60_000 * TIMES }, async () => {
  const missed: string[] = [];
  let all = 0;
  await fc.assert(
    fc.asyncProperty(starAndStyles, async ({ star, styles }) => {
      const { bound } = bindStar(star, sqliteDialect);
      for (const metric of star.metrics.filter(isWritten))
        for (const { sql, how } of changed(star, metric, styles)) {
          all += 1;
          const found = await checkParsed(sql, bound);
          if (!found.some(({ code }) => code === 'custom/knowledge-metric'))
            missed.push(`${how} ${sql} /* ${JSON.stringify(metric)} */`);
        }
    }),
    { numRuns: 40 * TIMES },
  );
  expect(all).toBeGreaterThan(100);
  expect(missed.length / all, missed.slice(0, 5).join('\n')).toBeLessThan(0.06);
});

interface Changed {
  readonly sql: string;
  readonly how: string;
}

function changed(star: PlainStar, metric: Written, styles: readonly Style[]): readonly Changed[] {
  const { expression } = metric;
  if (typeof expression === 'number') return [];
  const [style] = styles;
  if (style === undefined) return [];
  const write = (how: string, more: Partial<Written>, of = star): Changed => ({
    how,
    sql: writeMetric(of, { ...metric, ...more }, style),
  });
  if (isOperation(expression)) {
    const operator = expression.operator === '-' ? '+' : '-';
    return [write('operator', { expression: { ...expression, operator } })];
  }
  const changes: Changed[] = [];
  const { aggregate, field, when, dataset } = expression;
  const other = { sum: 'avg', avg: 'sum', min: 'max', max: 'min', count: 'sum', distinct: 'count' } as const;
  const counts = aggregate === 'count';
  const changedLeaf: PlainAggregate = {
    ...expression,
    aggregate: other[aggregate],
    ...(counts && field === undefined ? { field: 'amount' } : {}),
  };
  if (dataset !== 'shop') changes.push(write('aggregate', { expression: changedLeaf }));
  if ((field === 'amount' || field === 'pieces') && !counts)
    changes.push(write('column', { expression: { ...expression, field: field === 'amount' ? 'pieces' : 'amount' } }));
  // A condition on the same column as another may be implied by it, and the most of a column is beyond any limit of it.
  const filter = star.tables.find(({ name }) => name === dataset)?.filter;
  const fields = [when, metric.filter, filter].flatMap((one) => one?.field ?? []);
  fields.push(`${dataset}.${field}`);
  const tells = (one: PlainCondition | undefined): one is PlainCondition =>
    one !== undefined && !one.test.includes('null') && fields.filter((name) => name === one.field).length === 1;
  if (tells(when)) changes.push(write('when left out', { expression: { ...expression, when: undefined } }));
  if (tells(metric.filter)) changes.push(write('filter left out', { filter: undefined }));
  if (tells(filter)) {
    const tables = star.tables.map((table) => (table.name === dataset ? { ...table, filter: undefined } : table));
    changes.push(write('default filter left out', {}, { ...star, tables }));
  }
  return changes;
}
