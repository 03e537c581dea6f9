import type { Call, Expression } from '../../../expression/expression.ts';
import { columnsIn } from '../../../expression/walk-expression.ts';
import type { Aggregate } from '../../../model/metric-definition.ts';
import { sameName } from '../../../model/same-name.ts';
import type { Dataset, Metric, SemanticModel } from '../../../model/semantic-model.ts';
import { compact } from '../../plain-object.ts';
import { Unsayable } from '../unsayable.ts';
import type { EntityGraph } from './entity-graph.ts';
import { entityOf, findField, inColumns, parse, replaceColumns } from './write-condition.ts';

export interface WrittenMeasure {
  readonly dataset: Dataset;
  readonly measure: Record<string, unknown>;
}

const AGGREGATIONS: Readonly<Record<string, string>> = {
  SUM: 'sum',
  MIN: 'min',
  MAX: 'max',
  AVG: 'average',
  MEDIAN: 'median',
  COUNT: 'count',
  PERCENTILE_CONT: 'percentile',
  PERCENTILE_DISC: 'percentile',
};

/**
 * An aggregate as a measure.
 *
 * @throws Unsayable where it is more than one aggregation of one dataset.
 */
export function writeMeasure(
  metric: Metric,
  definition: Aggregate,
  model: SemanticModel,
  graph: EntityGraph,
): WrittenMeasure {
  const text = (definition.expressions.find(({ dialect }) => dialect === 'ANSI_SQL') ?? definition.expressions[0])
    ?.expression;
  if (text === undefined) throw new Unsayable('it has no expression');
  const call = parse(text);
  if (call.kind !== 'call' || !Object.hasOwn(AGGREGATIONS, call.name))
    throw new Unsayable(
      'a measure of dbt is one aggregation. Define each of them as a metric, and a derived one of these',
    );
  const dataset = datasetOf(call, definition, model);
  const dimension = (name: string | undefined) => fieldOf(name, dataset);
  const { nonAdditive } = definition;
  const time = dimension(definition.time);
  if (time === undefined && dataset.defaultTime === undefined)
    throw new Unsayable(`dbt wants a time for each measure, and ${dataset.name} has no default_time`);
  const within = (nonAdditive?.within ?? []).map((name) => {
    const field = dataset.fields.find((one) => sameName(one.name, dimension(name) ?? ''));
    const entity = field && entityOf({ dataset, field, name: field.name }, graph);
    if (entity === undefined) throw new Unsayable(`dbt takes the first or last of each entity, and ${name} is none`);
    return entity;
  });
  const measure = compact({
    name: nameOf(metric, dataset, graph),
    agg: call.isDistinct ? 'count_distinct' : AGGREGATIONS[call.name],
    expr: writeArgument(call, text, model, dataset),
    agg_params: percentileOf(call),
    agg_time_dimension: time,
    non_additive_dimension: nonAdditive && {
      name: dimension(nonAdditive.field),
      window_choice: nonAdditive.choice === 'last' ? 'max' : 'min',
      window_groupings: within,
    },
  });
  return { dataset, measure };
}

/** A semantic model has each name once, be it of a measure, a dimension or an entity. */
function nameOf(metric: Metric, dataset: Dataset, graph: EntityGraph): string {
  const name = metric.name.toLowerCase();
  const others = [...dataset.fields.filter((field) => field.dimension !== undefined), ...graph.entitiesOf(dataset)];
  return others.some((one) => sameName(one.name, name)) ? `${name}_measure` : name;
}

function datasetOf(call: Call, definition: Aggregate, model: SemanticModel): Dataset {
  const found = columnsIn(call).map((column) => findField(column, model, definition.dataset).dataset);
  const named = model.datasets.find((dataset) => sameName(dataset.name, definition.dataset ?? ''));
  const [dataset = named, ...others] = new Set(found);
  if (dataset === undefined) throw new Unsayable('it does not say whose rows it counts');
  if (others.length > 0) throw new Unsayable('a measure of dbt reads the columns of one semantic model');
  if (named !== undefined && named !== dataset)
    throw new Unsayable(`it counts rows of ${named.name} by another dataset`);
  return dataset;
}

/** What is aggregated, as SQL over columns of the table. */
function writeArgument(call: Call, text: string, model: SemanticModel, dataset: Dataset): string | number {
  const of: Expression | undefined = call.withinGroup?.expression ?? call.arguments[0];
  if (call.isDistinct && call.name !== 'COUNT') throw new Unsayable(`dbt has no ${call.name} of distinct values`);
  if (call.arguments.length > 1 && call.withinGroup === undefined)
    throw new Unsayable(`${call.name} has two arguments`);
  const columns = (part: Expression) =>
    replaceColumns(text.slice(part.span.start, part.span.end), (column) =>
      inColumns(findField(column, model, dataset.name)),
    );
  const value = of === undefined || of.kind === 'star' ? '1' : columns(of);
  const written = call.filter === undefined ? value : `CASE WHEN ${columns(call.filter)} THEN ${value} END`;
  return written === '1' ? 1 : written;
}

function percentileOf(call: Call): Record<string, unknown> | undefined {
  if (!call.name.startsWith('PERCENTILE_')) return undefined;
  const [share] = call.arguments;
  if (share?.kind !== 'literal' || call.withinGroup === undefined || call.withinGroup.isDescending)
    throw new Unsayable('dbt has percentiles by a number, of values in ascending order');
  return { percentile: Number(share.value), use_discrete_percentile: call.name === 'PERCENTILE_DISC' };
}

function fieldOf(name: string | undefined, dataset: Dataset): string | undefined {
  if (name === undefined) return undefined;
  const [first = '', ...rest] = name.split('.');
  if (rest.length > 0 && !sameName(first, dataset.name))
    throw new Unsayable(`dbt puts a measure in time by its own semantic model, and ${name} is of another`);
  return (rest.length > 0 ? rest.join('.') : first).toLowerCase();
}
