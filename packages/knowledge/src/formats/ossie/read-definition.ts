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
  const base = { filter: ours.filter, empty: ours.empty };
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
        window: ours.window,
        grainToDate: ours.grain_to_date,
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
    dataset: ours.dataset,
    time: ours.time,
    nonAdditive: by && { field: by.field, choice: by.choice, within: by.within ?? [] },
  };
}

function inputOf(written: WrittenInput): MetricInput {
  if (typeof written === 'string') return { metric: written };
  return {
    metric: written.metric,
    alias: written.alias,
    filter: written.filter,
    offset: written.offset,
    offsetToGrain: written.offset_to_grain,
  };
}
