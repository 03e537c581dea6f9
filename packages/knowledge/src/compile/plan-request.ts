import { type Dialect, didYouMean } from '@askema/core';
import { ansiLexer } from '@askema/dialects';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import type { Expression } from '../expression/expression.ts';
import { columnsIn, conjunctsOf } from '../expression/walk-expression.ts';
import { TIME_GRAINS, type TimeGrain } from '../model/semantic-model.ts';
import { type AnalysedMetric, analyseMetric } from './analyse-metric.ts';
import { bindCondition, type FieldOf, fieldNamed, isMetricTime, METRIC_TIME } from './bind-names.ts';
import type { GroupField, MetricRequest } from './metric-request.ts';
import { readCondition } from './read-condition.ts';
import { refused } from './refused.ts';
import { UniqueNames } from './unique-names.ts';

/** One of the columns that a result is grouped by. */
export interface Dimension {
  /** Its column in the result, and in every query on the way there. */
  readonly column: string;
  /** Undefined: the time of each metric. */
  readonly of: FieldOf | undefined;
  readonly grain: TimeGrain | undefined;
}

/** A condition of the request; those joined by AND are apart. */
export interface Condition {
  readonly expression: Expression;
  /** It names `metric_time`. */
  readonly isOfTime: boolean;
}

export interface OutputMetric {
  readonly column: string;
  readonly analysed: AnalysedMetric;
}

export interface OrderPart {
  readonly column: string;
  readonly descending: boolean;
}

/** A request with every name looked up. */
export interface RequestPlan {
  readonly metrics: readonly OutputMetric[];
  readonly dimensions: readonly Dimension[];
  readonly conditions: readonly Condition[];
  readonly order: readonly OrderPart[];
  readonly limit: number | undefined;
}

const MAX_METRICS = 100;

export function planRequest(request: MetricRequest, bound: BoundKnowledge): RequestPlan {
  const analysed = [...new Set(request.metrics.map((name) => analyseMetric(name, bound)))];
  if (analysed.length === 0 || analysed.length > MAX_METRICS)
    throw refused('bad-request', `The request names ${analysed.length} metrics. Name 1 to ${MAX_METRICS}.`);
  const names = new UniqueNames(
    bound.dialect,
    analysed.map(({ metric }) => metric.name),
  );
  const dimensions = planDimensions(request, bound, names);
  const metrics = analysed.map((metric) => ({ column: columnOf(metric.metric.name, bound.dialect), analysed: metric }));
  const conditions = (request.where ?? []).flatMap((condition) => planCondition(condition, bound));
  const { limit } = request;
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 0))
    throw refused('bad-request', `The limit is ${limit}. It must be a whole number from 0 on.`);
  return { metrics, dimensions, conditions, order: planOrder(request, metrics, dimensions), limit };
}

/** The name of a metric is that of its column, unless the engine would cut it off. */
function columnOf(name: string, dialect: Dialect): string {
  return new UniqueNames(dialect).take(name);
}

function planDimensions({ by = [], grain }: MetricRequest, bound: BoundKnowledge, names: UniqueNames): Dimension[] {
  const asked = grain === undefined ? by : [{ field: METRIC_TIME, grain }, ...by];
  const dimensions: Dimension[] = [];
  for (const entry of asked) {
    const { field, grain: written, as } = typeof entry === 'string' ? readGroupField(entry) : entry;
    const isTime = isMetricTime({ qualifier: [], name: field });
    const of = isTime ? undefined : fieldNamed(field, `The group \`${field}\``, bound);
    const finest = written ?? (isTime ? 'day' : undefined);
    if (finest !== undefined) checkGrain(finest, of, field);
    if (dimensions.some((known) => known.of?.name === of?.name && known.grain === finest)) continue;
    dimensions.push({ column: names.take(...columnNames(of, finest, as)), of, grain: finest });
  }
  return dimensions;
}

/** `orders.ordered_at:month`. */
function readGroupField(text: string): GroupField {
  const colon = text.lastIndexOf(':');
  if (colon < 0) return { field: text.trim() };
  return {
    field: text.slice(0, colon).trim(),
    grain: text
      .slice(colon + 1)
      .trim()
      .toLowerCase() as TimeGrain,
  };
}

function checkGrain(grain: TimeGrain, of: FieldOf | undefined, field: string): void {
  if (!TIME_GRAINS.includes(grain)) {
    const next = didYouMean(grain, TIME_GRAINS) || `Take ${TIME_GRAINS.join(', ')}.`;
    throw refused('grain', `There is no grain \`${grain}\`, of \`${field}\`. ${next}`, { field });
  }
  if (of === undefined) return;
  if (!of.field.isTime)
    throw refused('not-a-time', `The field \`${of.name}\` is no time, so it has no ${grain}. Leave the grain out.`, {
      field: of.name,
    });
  checkFinest(grain, of);
}

/** Refuses periods that are finer than what the field tells apart. */
export function checkFinest(grain: TimeGrain, { field, name }: FieldOf): void {
  const finest = field.field.timeGrain;
  if (finest === undefined || TIME_GRAINS.indexOf(grain) >= TIME_GRAINS.indexOf(finest)) return;
  throw refused('grain', `The values of \`${name}\` differ by ${finest} at the finest. Ask for ${finest} or coarser.`, {
    field: name,
  });
}

function columnNames(of: FieldOf | undefined, grain: TimeGrain | undefined, as: string | undefined): string[] {
  const wanted = as === undefined ? [] : [as];
  if (of === undefined) return [...wanted, grain ?? METRIC_TIME, `${METRIC_TIME}_${grain}`];
  const { name } = of.field.field;
  const end = grain === undefined ? '' : `_${grain}`;
  return [...wanted, `${name}${end}`, `${of.dataset.dataset.name}_${name}${end}`];
}

function planCondition(condition: string | Expression, bound: BoundKnowledge): Condition[] {
  const filter = typeof condition === 'string' ? bound.filters.get(condition.trim().toLowerCase()) : undefined;
  const expression =
    filter === undefined
      ? bindCondition(typeof condition === 'string' ? readCondition(condition, ansiLexer, bound) : condition, {
          bound,
          where: `The condition ${said(condition)}`,
          columns: false,
          time: true,
        })
      : bindCondition(filter.condition, {
          bound,
          home: filter.dataset,
          where: `The filter \`${filter.name}\``,
          columns: true,
        });
  return conjunctsOf(expression).map((part) => ({
    expression: part,
    isOfTime: columnsIn(part).some((column) => column.bound === undefined),
  }));
}

function said(condition: string | Expression): string {
  return typeof condition === 'string' ? `\`${condition}\`` : 'of the request';
}

/** What was asked for first, then the dimensions that are left, so that a limit always cuts at the same row. */
function planOrder(
  { order = [] }: MetricRequest,
  metrics: readonly OutputMetric[],
  dimensions: readonly Dimension[],
): OrderPart[] {
  const parts: OrderPart[] = [];
  for (const { by, direction } of order) {
    if (direction !== undefined && direction !== 'asc' && direction !== 'desc')
      throw refused(
        'bad-request',
        `The direction of the order by \`${by}\` is ${JSON.stringify(direction)}. It must be 'asc' or 'desc'.`,
      );
    const column = orderColumn(by, metrics, dimensions);
    if (!parts.some((part) => part.column === column)) parts.push({ column, descending: direction === 'desc' });
  }
  for (const { column } of dimensions)
    if (!parts.some((part) => part.column === column)) parts.push({ column, descending: false });
  return parts;
}

function orderColumn(by: string, metrics: readonly OutputMetric[], dimensions: readonly Dimension[]): string {
  const wanted = by.trim().toLowerCase();
  const metric = metrics.find(({ analysed }) => analysed.metric.name.toLowerCase() === wanted);
  if (metric !== undefined) return metric.column;
  const named = (dimension: Dimension): string[] => {
    const { of, grain, column } = dimension;
    const fields = of === undefined ? [METRIC_TIME] : [of.name, of.field.field.name];
    return [column, ...fields, ...fields.map((field) => `${field}:${grain}`)].map((name) => name.toLowerCase());
  };
  const found = dimensions.find((dimension) => named(dimension).includes(wanted));
  if (found !== undefined) return found.column;
  const known = [...metrics, ...dimensions].map(({ column }) => column);
  const next = didYouMean(by, known) || `Order by one of ${known.map((name) => `\`${name}\``).join(', ')}.`;
  throw refused('bad-request', `The result has no column \`${by}\` to order by. ${next}`);
}
