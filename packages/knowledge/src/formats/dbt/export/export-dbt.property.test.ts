import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { propertyRuns } from '../../../../../../scripts/testing/property-runs.ts';
import { importDbt } from '../import/import-dbt.ts';
import { meaningOf } from '../test-support/library-project.ts';
import { exportDbt } from './export-dbt.ts';

const AGGREGATIONS = ['sum', 'min', 'max', 'average', 'median', 'count', 'count_distinct', 'sum_boolean'];

/** Semantic models in a chain: the rows of each belong to one of the next. */
const project = fc
  .record({
    models: fc.array(
      fc.record({
        isUnique: fc.boolean(),
        dimensions: fc.array(fc.record({ isTime: fc.boolean(), hasExpr: fc.boolean(), label: fc.boolean() }), {
          maxLength: 3,
        }),
        measures: fc.array(
          fc.record({
            agg: fc.constantFrom(...AGGREGATIONS),
            expr: fc.constantFrom('amount', '1', 'price * pieces', "case when kind = 'a' then amount else 0 end"),
            isNonAdditive: fc.boolean(),
          }),
          { maxLength: 3 },
        ),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    metrics: fc.array(
      fc.record({
        type: fc.constantFrom('simple', 'ratio', 'derived', 'cumulative'),
        a: fc.nat(20),
        b: fc.nat(20),
        filtered: fc.option(fc.nat(3)),
        window: fc.constantFrom(undefined, '3 months', '1 week'),
        isZero: fc.boolean(),
      }),
      { maxLength: 8 },
    ),
  })
  .map(({ models, metrics }) => {
    const measures = models.flatMap((model, at) =>
      model.measures.map((_, number) => ({ name: `m${at}v${number}`, at })),
    );
    const semanticModels = models.map((model, at) => ({
      name: `rows${at}`,
      model: `ref('table${at}')`,
      defaults: { agg_time_dimension: 'happened' },
      entities: [
        { name: `key${at}`, type: model.isUnique ? 'unique' : 'primary', expr: `id${at}` },
        ...(at + 1 < models.length ? [{ name: `key${at + 1}`, type: 'foreign', expr: `id${at + 1}` }] : []),
      ],
      dimensions: [
        { name: 'happened', type: 'time', type_params: { time_granularity: 'day' } },
        ...model.dimensions.map((dimension, number) => ({
          name: `d${at}n${number}`,
          type: dimension.isTime ? 'time' : 'categorical',
          ...(dimension.hasExpr && { expr: `coalesce(c${number}, 0)` }),
          ...(dimension.label && { label: `Dimension ${number}` }),
          ...(dimension.isTime && { type_params: { time_granularity: 'month' } }),
        })),
      ],
      measures: model.measures.map((measure, number) => ({
        name: `m${at}v${number}`,
        agg: measure.agg,
        expr: measure.expr,
        ...(measure.isNonAdditive && {
          non_additive_dimension: { name: 'happened', window_choice: 'max', window_groupings: [`key${at}`] },
        }),
      })),
    }));
    const written = metrics.flatMap(({ type, a, b, filtered, window, isZero }, number): object[] => {
      const measure = measures[a % measures.length];
      const name = `metric${number}`;
      if (measure === undefined) return [];
      // Each kind of metric is made of simple ones, which come first.
      const other = `metric${b % Math.max(number, 1)}`;
      const filter = filtered === null ? {} : filterOf(models, measure.at, filtered);
      if (type === 'cumulative')
        return [{ name, type, type_params: { measure: measure.name, window, period_agg: 'last' } }];
      if (type === 'simple' || number === 0)
        return [
          {
            name,
            type: 'simple',
            type_params: { measure: isZero ? { name: measure.name, fill_nulls_with: 0 } : measure.name },
            ...filter,
          },
        ];
      if (type === 'ratio')
        return [{ name, type, type_params: { numerator: other, denominator: { name: 'metric0' } } }];
      const metrics = [{ name: other, alias: 'x', offset_window: window }, { name: 'metric0' }];
      return [{ name, type, type_params: { expr: 'x - metric0', metrics } }];
    });
    return stringify({ semantic_models: semanticModels, metrics: written });
  });

/** A condition on a dimension that is some joins away. */
function filterOf(
  models: readonly { readonly isUnique: boolean; readonly dimensions: readonly { readonly isTime: boolean }[] }[],
  from: number,
  distance: number,
): { filter?: string } {
  const target = Math.min(from + distance, models.length - 1);
  const dimension = models[target]?.dimensions[0];
  if (dimension === undefined || (target === from && models[from]?.isUnique)) return {};
  const path = target === from ? [`key${from}`] : models.slice(from, target).map((_, at) => `key${from + at + 1}`);
  const name = [...path, `d${target}n0`].join('__');
  const call = dimension.isTime ? `TimeDimension('${name}', 'year')` : `Dimension('${name}')`;
  return { filter: `{{ ${call} }} = 1` };
}

describe('exportDbt', () => {
  it('writes whatever can be read, so that it reads the same again', () => {
    fc.assert(
      fc.property(project, (text) => {
        const first = importDbt([{ path: 'a.yml', text }]);
        expect(first.lost).toEqual([]);
        const { files, lost } = exportDbt({ schemaVersion: 1, problems: [], ...first.knowledge });
        expect(lost).toEqual([]);
        const again = importDbt(files);
        expect(again.lost).toEqual([]);
        expect(meaningOf(again.knowledge.models[0])).toEqual(meaningOf(first.knowledge.models[0]));
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});
