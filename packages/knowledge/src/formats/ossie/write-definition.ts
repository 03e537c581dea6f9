import type { MetricInput, Ratio } from '../../model/metric-definition.ts';
import { sameName } from '../../model/same-name.ts';
import { ansi, type DialectExpression, type Metric, type SemanticModel } from '../../model/semantic-model.ts';
import { compact, withoutUndefined } from '../plain-object.ts';
import type { OurExtension, WrittenInput } from './our-extension.ts';
import type { Release } from './releases.ts';

export interface WrittenDefinition {
  /** What other tools compute. */
  readonly expressions: readonly DialectExpression[];
  readonly ours: OurExtension<'metric'>;
  /** Why other tools cannot compute it. */
  readonly lost?: string | undefined;
}

/** Ossie asks for an expression. A number that is not the metric would be worse than none. */
const NOTHING = ansi('NULL');

/** The expression that is right without our extension, or `NULL` where there is none, and what the extension says. */
export function writeDefinition(metric: Metric, model: SemanticModel, release: Release): WrittenDefinition {
  const { definition } = metric;
  const base = { filter: definition.filter, empty: definition.empty };
  const incomplete = (ours: OurExtension<'metric'>, lost: string): WrittenDefinition => ({
    expressions: NOTHING,
    ours: { ...ours, ...base, complete: false },
    lost: `${lost}. Its expression is NULL for other tools`,
  });
  switch (definition.kind) {
    case 'aggregate': {
      const { nonAdditive: by, expressions } = definition;
      const ours = {
        dataset: definition.dataset,
        time: definition.time,
        non_additive: by && compact({ ...by, within: [...by.within] }),
      };
      if (by !== undefined) return incomplete({ ...ours, expressions: [...expressions] }, 'Ossie has no additivity');
      if (definition.filter !== undefined)
        return incomplete({ ...ours, expressions: [...expressions] }, 'Ossie has no filter of a metric');
      const split = splitDialects(expressions, release);
      return { ...split, ours: { ...ours, ...base, ...split.ours } };
    }
    case 'ratio': {
      const ours = {
        type: definition.kind,
        numerator: writeInput(definition.numerator),
        denominator: writeInput(definition.denominator),
      };
      const expression = plainRatio(definition, model);
      if (expression === undefined) return incomplete(ours, 'Ossie has no metrics of metrics');
      return { expressions: ansi(expression), ours: { ...ours, ...base } };
    }
    case 'derived':
      return incomplete(
        { type: definition.kind, expression: definition.expression, inputs: definition.inputs.map(writeInput) },
        'Ossie has no metrics of metrics',
      );
    case 'cumulative':
      return incomplete(
        {
          type: definition.kind,
          input: writeInput(definition.input),
          window: definition.window,
          grain_to_date: definition.grainToDate,
        },
        'Ossie has no running values',
      );
  }
}

/** Expressions of dialects that the release names, and those that go into our extension. */
export function splitDialects(
  expressions: readonly DialectExpression[],
  release: Release,
): {
  readonly expressions: readonly DialectExpression[];
  readonly ours: Pick<OurExtension<'metric'>, 'expressions' | 'complete'>;
  readonly lost?: string | undefined;
} {
  const named = expressions.filter(({ dialect }) => release.dialects.has(dialect));
  const others = expressions.filter(({ dialect }) => !release.dialects.has(dialect));
  if (others.length === 0) return { expressions: named, ours: {} };
  if (named.length > 0) return { expressions: named, ours: { expressions: others } };
  const dialects = others.map(({ dialect }) => dialect).join(', ');
  return {
    expressions: NOTHING,
    ours: { expressions: others, complete: false },
    lost: `Ossie ${release.version} has no dialect ${dialects}. Its expression is NULL for other tools`,
  };
}

/** One sum over another in ANSI SQL, where both are aggregates and nothing else is said of them. */
function plainRatio(ratio: Ratio, model: SemanticModel): string | undefined {
  if (ratio.filter !== undefined) return undefined;
  const [above, below] = [ratio.numerator, ratio.denominator].map((input) => plainInput(input, model));
  return above === undefined || below === undefined ? undefined : `(${above}) * 1.0 / NULLIF((${below}), 0)`;
}

function plainInput(input: MetricInput, model: SemanticModel): string | undefined {
  if (input.filter !== undefined || input.offset !== undefined || input.offsetToGrain !== undefined) return undefined;
  const found = model.metrics.find(({ name }) => sameName(name, input.metric))?.definition;
  if (found?.kind !== 'aggregate' || found.filter !== undefined || found.nonAdditive !== undefined) return undefined;
  if (found.dataset !== undefined) return undefined;
  return found.expressions.find(({ dialect }) => dialect === 'ANSI_SQL')?.expression;
}

function writeInput(input: MetricInput): WrittenInput {
  const { metric, alias, filter, offset, offsetToGrain } = input;
  const rest = withoutUndefined({ alias, filter, offset, offset_to_grain: offsetToGrain });
  return Object.keys(rest).length === 0 ? metric : { metric, ...rest };
}
