import fc from 'fast-check';
import type { MetricRequest } from '../../compile/metric-request.ts';
import { TIME_GRAINS, type TimeGrain } from '../../model/semantic-model.ts';
import { aggregatesOf } from '../plain-metrics.ts';
import { inputsOf, metricOf, type PlainCondition, type PlainRequest, type PlainStar } from '../plain-star.ts';
import { conditionFor, reachableFields } from './random-conditions.ts';

/** What is asked of a star: also what cannot be answered. */
export function randomRequest(star: PlainStar): fc.Arbitrary<PlainRequest> {
  const names = star.metrics.map(({ name }) => name);
  const metric = fc.constantFrom(...names);
  // A metric beside those that it is made of: parts that are alike must not be taken for each other.
  const withInputs = metric.map((name) => [
    ...new Set([name, ...inputsOf(metricOf(star, name)).map((input) => input.metric)]),
  ]);
  return fc
    .oneof(
      { weight: 3, arbitrary: fc.uniqueArray(metric, { minLength: 1, maxLength: 3 }) },
      { weight: 1, arbitrary: withInputs },
    )
    .chain((metrics) => {
      const from = metrics.flatMap((name) => aggregatesOf(star, metricOf(star, name)).map(({ dataset }) => dataset));
      const good = reachableFields(star, from);
      const all = reachableFields(star, []);
      const field = fc.oneof(
        { weight: 12, arbitrary: fc.constantFrom(...(good.length > 0 ? good : all)) },
        { weight: 1, arbitrary: fc.constantFrom(...all) },
      );
      const time = fc.constantFrom<TimeGrain>(...TIME_GRAINS).map((grain) => ({ field: 'metric_time', grain }));
      const group = fc.oneof(
        { weight: 2, arbitrary: time },
        {
          weight: 3,
          arbitrary: fc
            .tuple(field, fc.constantFrom<TimeGrain>(...TIME_GRAINS))
            .map(([one, grain]) =>
              one.type === 'date' || one.type === 'timestamp' ? { field: one.field, grain } : { field: one.field },
            ),
        },
      );
      const since = fc
        .constantFrom('2024-01-01', '2025-01-01', '2024-02-29')
        .map((day): PlainCondition => ({ field: 'metric_time', test: '>=', values: [day] }));
      return fc.record(
        {
          metrics: fc.constant(metrics),
          by: fc.uniqueArray(group, { maxLength: 3, selector: (one) => one.field }),
          where: fc.array(
            fc.oneof({ weight: 1, arbitrary: since }, { weight: 2, arbitrary: conditionFor(star, from) }),
            {
              maxLength: 2,
            },
          ),
          fiscal: fc.boolean(),
          fillGaps: fc.constantFrom(false, false, true),
          order: fc.record({
            by: fc.constantFrom(...metrics),
            direction: fc.constantFrom('asc' as const, 'desc' as const),
          }),
          limit: fc.integer({ min: 1, max: 5 }),
        },
        { requiredKeys: ['metrics', 'by', 'where'] },
      );
    });
}

/** Whatever somebody may write into a request. */
export function anyRequest(star: PlainStar): fc.Arbitrary<MetricRequest> {
  const metric = fc.constantFrom(...star.metrics.map(({ name }) => name.toUpperCase()));
  const field = fc.constantFrom('Shop.Name', 'shop.opened', 'metric_time', 'metric_time:month', 'shop.opened:week');
  const odd = fc.oneof(
    fc.constantFrom('sale.made', 'name', 'kind', 'sale.made:month', 'shop.name:month', 'shop.opened:decade'),
    fc.constantFrom('', '.', 'sale.', '__proto__', 'sale.nothing', 'sale.made:decade', '*', 'sale.amount; DROP', ':'),
    fc.string(),
  );
  const name = fc.oneof({ weight: 3, arbitrary: field }, { weight: 1, arbitrary: odd });
  const condition = fc.oneof(
    name,
    fc.constantFrom('sale.kind =', 'SUM(sale.amount) > 3', 'shop.name IN (SELECT 1)', "kind = 'x' --", 'shop.name'),
    fc.constantFrom("metric_time >= DATE '2024-01-01'", "shop.name LIKE 'n%'", 'shop.opened IS NOT NULL'),
    fc.constantFrom("metric_time < 'x'", 'sale.made BETWEEN 1 AND 2', '1 = 1', 'NOT shop.name', 'shop.shop_id / 0 = 1'),
  );
  const grain = fc.constantFrom<TimeGrain>(...TIME_GRAINS);
  return fc.record(
    {
      metrics: fc.oneof(
        { weight: 9, arbitrary: fc.array(metric, { minLength: 1, maxLength: 3 }) },
        { weight: 1, arbitrary: fc.array(odd) },
      ),
      by: fc.array(fc.oneof(name, fc.record({ field: name, grain, as: name }, { requiredKeys: ['field'] })), {
        maxLength: 3,
      }),
      where: fc.array(condition, { maxLength: 2 }),
      grain,
      order: fc.array(
        fc.record({ by: fc.oneof(metric, name), direction: fc.constantFrom('asc' as const, 'desc' as const) }),
        {
          maxLength: 2,
        },
      ),
      limit: fc.constantFrom(0, 1, 2, 10, 1e6, -1, 1.5, Number.NaN, 1e21),
      fiscal: fc.boolean(),
      fillGaps: fc.boolean(),
      fanOut: fc.constantFrom('refuse' as const, 'once' as const),
    },
    { requiredKeys: ['metrics'] },
  );
}
