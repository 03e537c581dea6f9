import type { Aggregate, MetricDefinition, MetricInput } from '../../model/metric-definition.ts';
import type { DialectExpression } from '../../model/semantic-model.ts';
import type { OurExtension, WrittenInput } from './our-extension.ts';
import type { Reading, Spot } from './reading.ts';

/** How a metric is computed: by our extension where it says so, else an aggregate of the expressions. */
export function readDefinition(
  reading: Reading,
  spot: Spot,
  ours: OurExtension<'metric'>,
  expressions: readonly DialectExpression[],
): MetricDefinition | undefined {
  const base = { ...defined('filter', ours.filter), ...defined('empty', ours.empty) };
  const missing = (part: string): undefined => {
    reading.error('missing-part', spot, `${spot.what} is of type ${ours.type} and has no \`${part}\`.`);
    return undefined;
  };
  switch (ours.type) {
    case 'ratio':
      if (ours.numerator === undefined) return missing('numerator');
      if (ours.denominator === undefined) return missing('denominator');
      return { kind: 'ratio', numerator: inputOf(ours.numerator), denominator: inputOf(ours.denominator), ...base };
    case 'derived':
      if (ours.expression === undefined) return missing('expression');
      return { kind: 'derived', expression: ours.expression, inputs: (ours.inputs ?? []).map(inputOf), ...base };
    case 'cumulative':
      if (ours.input === undefined) return missing('input');
      return {
        kind: 'cumulative',
        input: inputOf(ours.input),
        ...defined('window', ours.window),
        ...defined('grainToDate', ours.grain_to_date),
        ...base,
      };
    default:
      return { ...aggregate(ours, expressions), ...base };
  }
}

function aggregate(ours: OurExtension<'metric'>, expressions: readonly DialectExpression[]): Aggregate {
  const { non_additive: by } = ours;
  return {
    kind: 'aggregate',
    expressions,
    ...defined('dataset', ours.dataset),
    ...defined('time', ours.time),
    ...(by === undefined ? {} : { nonAdditive: { field: by.field, choice: by.choice, within: by.within ?? [] } }),
  };
}

function inputOf(written: WrittenInput): MetricInput {
  if (typeof written === 'string') return { metric: written };
  return {
    metric: written.metric,
    ...defined('alias', written.alias),
    ...defined('filter', written.filter),
    ...defined('offset', written.offset),
    ...defined('offsetToGrain', written.offset_to_grain),
  };
}

/** A property, or none where there is no value: entries are compared and hashed as JSON. */
export function defined<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: V });
}
