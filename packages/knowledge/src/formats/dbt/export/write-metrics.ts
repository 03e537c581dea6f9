import type { Cumulative, MetricInput } from '../../../model/metric-definition.ts';
import { sameName } from '../../../model/same-name.ts';
import type { Dataset, Metric, SemanticModel } from '../../../model/semantic-model.ts';
import type { Loss } from '../../conversion.ts';
import { compact } from '../../plain-object.ts';
import { attempt, Unsayable } from '../unsayable.ts';
import { type EntityGraph, isName } from './entity-graph.ts';
import { writeFilter } from './write-condition.ts';
import { writeMeasure } from './write-measure.ts';
import { loseParts } from './write-semantic-model.ts';

/** Metrics of metrics are followed so far. */
const MAX_DEPTH = 200;

export interface WrittenMetrics {
  readonly metrics: readonly Record<string, unknown>[];
  /** By the name of their dataset. */
  readonly measures: ReadonlyMap<string, readonly Record<string, unknown>[]>;
}

/** Metrics of the legacy specification. Those that dbt cannot say, and those that need them, are added to `lost`. */
export function writeMetrics(
  model: SemanticModel,
  graph: EntityGraph,
  isWritten: (dataset: Dataset) => boolean,
  lost: Loss[],
): WrittenMetrics {
  const done = new Map<string, Done>();
  const started = new Set<string>();
  let depth = 0;
  const measures = new Map<string, Record<string, unknown>[]>();
  const metrics: Record<string, unknown>[] = [];
  const write = (metric: Metric): Done => {
    if (!isName(metric.name)) throw new Unsayable('dbt takes names of letters, digits and single underscores');
    const written = writeDefinition(metric, writing);
    const unwritten = written.from.find((dataset) => !isWritten(dataset));
    if (unwritten !== undefined) throw new Unsayable(`its dataset ${unwritten.name} is lost`);
    const [dataset] = written.from;
    if (written.measure !== undefined && dataset !== undefined)
      measures.set(dataset.name, [...(measures.get(dataset.name) ?? []), written.measure]);
    metrics.push(writeMetric(metric, written));
    loseOfMetric(metric, lost);
    return written;
  };
  const writing: Writing = {
    model,
    graph,
    lost,
    of(name) {
      const metric = model.metrics.find((one) => sameName(one.name, name));
      if (metric === undefined) throw new Unsayable(`there is no metric ${name}`);
      const known = done.get(metric.name);
      if (known !== undefined) return known;
      const needed = new Unsayable(`it needs the metric ${name}, which is lost or needs it in turn`);
      if (started.has(metric.name) || depth >= MAX_DEPTH) throw needed;
      started.add(metric.name);
      depth += 1;
      try {
        const written = write(metric);
        done.set(metric.name, written);
        return written;
      } catch (thrown) {
        if (!(thrown instanceof Unsayable)) throw thrown;
        lost.push({ what: `metric ${metric.name}`, place: metric.standing.place, reason: thrown.message });
        throw needed;
      } finally {
        depth -= 1;
      }
    },
  };
  // What cannot be said is in `lost`.
  for (const { name } of model.metrics) attempt(() => writing.of(name));
  return { metrics, measures };
}

interface Writing {
  readonly model: SemanticModel;
  readonly graph: EntityGraph;
  readonly lost: Loss[];
  /** What was made of a metric. */
  of(name: string): Done;
}

interface Done {
  readonly type: 'simple' | 'ratio' | 'derived' | 'cumulative';
  readonly parameters: Record<string, unknown>;
  readonly filter: string | undefined;
  /** Datasets whose rows it aggregates. */
  readonly from: readonly Dataset[];
  readonly measure?: Record<string, unknown>;
}

function writeDefinition(metric: Metric, writing: Writing): Done {
  const { definition } = metric;
  switch (definition.kind) {
    case 'aggregate': {
      const { dataset, measure } = writeMeasure(metric, definition, writing.model, writing.graph);
      const conditions = [dataset.defaultFilter, definition.filter].filter((one) => one !== undefined);
      if (dataset.defaultFilter !== undefined)
        writing.lost.push({
          what: `metric ${metric.name}: default filter of ${dataset.name}`,
          place: metric.standing.place,
          reason: 'dbt has none for all metrics of a semantic model: it is written into this one',
        });
      const empty = definition.empty === 'zero' ? { fill_nulls_with: 0 } : {};
      const { name } = measure;
      return {
        type: 'simple',
        parameters: { measure: Object.keys(empty).length === 0 ? name : { name, ...empty } },
        filter: filterOf(conditions, [dataset], writing),
        from: [dataset],
        measure,
      };
    }
    case 'ratio': {
      const { numerator, denominator } = definition;
      const from = fromOf([numerator, denominator], writing);
      // MetricFlow takes two inputs of one name for one, with the filter of either.
      const alias = sameName(numerator.metric, denominator.metric) ? `${numerator.metric}_part` : undefined;
      const parameters = {
        numerator: compact({ ...inputOf(numerator, writing), alias: (numerator.alias ?? alias)?.toLowerCase() }),
        denominator: inputOf(denominator, writing),
      };
      return { type: 'ratio', parameters, filter: filterOf([definition.filter], from, writing), from };
    }
    case 'derived': {
      const from = fromOf(definition.inputs, writing);
      const metrics = definition.inputs.map((input) => inputOf(input, writing));
      return {
        type: 'derived',
        parameters: { expr: definition.expression, metrics },
        filter: filterOf([definition.filter], from, writing),
        from,
      };
    }
    case 'cumulative':
      return writeCumulative(definition, writing);
  }
}

function writeCumulative(definition: Cumulative, writing: Writing): Done {
  const { input, window, grainToDate } = definition;
  const of = writing.of(input.metric);
  if (of.type !== 'simple' || of.measure === undefined)
    throw new Unsayable('dbt sums up measures, and this is a metric of metrics');
  if (input.offset !== undefined || input.offsetToGrain !== undefined)
    throw new Unsayable('dbt does not move what it sums up');
  const own = filterOf([input.filter], of.from, writing);
  const filter = [of.filter, own].filter((one) => one !== undefined);
  const { name } = of.measure;
  return {
    type: 'cumulative',
    parameters: {
      measure: filter.length === 0 ? name : { name, filter: and(filter) },
      cumulative_type_params: compact({
        window: window && `${window.count} ${window.unit}${window.count === 1 ? '' : 's'}`,
        grain_to_date: grainToDate,
        period_agg: 'last',
      }),
    },
    filter: filterOf([definition.filter], of.from, writing),
    from: of.from,
  };
}

function inputOf(input: MetricInput, writing: Writing): Record<string, unknown> {
  const { offset } = input;
  return compact({
    name: input.metric.toLowerCase(),
    alias: input.alias,
    filter: filterOf([input.filter], writing.of(input.metric).from, writing),
    offset_window: offset && `${offset.count} ${offset.unit}${offset.count === 1 ? '' : 's'}`,
    offset_to_grain: input.offsetToGrain,
  });
}

function fromOf(inputs: readonly MetricInput[], writing: Writing): readonly Dataset[] {
  return [...new Set(inputs.flatMap(({ metric }) => writing.of(metric).from))];
}

function filterOf(
  conditions: readonly (string | undefined)[],
  from: readonly Dataset[],
  { model, graph }: Writing,
): string | undefined {
  const written = conditions.flatMap((one) => (one === undefined ? [] : [writeFilter(one, from, model, graph)]));
  return written.length === 0 ? undefined : and(written);
}

function and(filters: readonly string[]): string {
  return filters.length === 1 ? filters.join() : filters.map((filter) => `(${filter})`).join(' AND ');
}

function writeMetric(metric: Metric, { type, parameters, filter }: Done): Record<string, unknown> {
  const { owner } = metric.standing;
  return compact({
    name: metric.name.toLowerCase(),
    description: metric.description,
    // dbt wants one.
    label: metric.label ?? metric.name,
    type,
    type_params: compact(parameters),
    filter,
    config: owner === undefined ? undefined : { meta: { owner } },
  });
}

function loseOfMetric(metric: Metric, lost: Loss[]): void {
  const { definition } = metric;
  loseParts(
    `metric ${metric.name}`,
    metric.standing.place,
    lost,
    {
      type: metric.type,
      unit: metric.unit,
      hidden: metric.isHidden,
      'expressions of other dialects':
        (definition.kind === 'aggregate' && definition.expressions.length > 1) || undefined,
      'empty groups are 0': (definition.kind !== 'aggregate' && definition.empty === 'zero') || undefined,
    },
    metric,
  );
}
