import { didYouMean } from '@askema/core';
import { ansiLexer } from '@askema/dialects';
import type { BoundDataset, BoundKnowledge } from '../bind/bound-knowledge.ts';
import { chooseExpression } from '../bind/choose-expression.ts';
import { expressionType } from '../bind/expression-type.ts';
import type { Call, ColumnName, Expression } from '../expression/expression.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import { mapColumns, mapParts, walkExpression } from '../expression/walk-expression.ts';
import type { Aggregate, Cumulative, MetricInput } from '../model/metric-definition.ts';
import type { Metric } from '../model/semantic-model.ts';
import { bindCondition, bindNames, checkNumbers, datasetsIn, type FieldOf, fieldNamed, fieldOf } from './bind-names.ts';
import { reachesOne } from './join-graph.ts';
import type { Shift } from './periods.ts';
import { invalidMetric, refused } from './refused.ts';

/** One aggregate call of a metric, with all that says which rows it is of. */
export interface Measure {
  /** The same text means the same measure, whichever metric it is a part of. */
  readonly key: string;
  /** The metric in whose expression it stands. */
  readonly metric: string;
  readonly call: Call;
  /** Whose rows are aggregated. */
  readonly dataset: BoundDataset;
  readonly filters: readonly Expression[];
  /** The field by which its rows are put in time, where there is one. */
  readonly time: FieldOf | undefined;
  readonly lasting: Lasting | undefined;
  readonly running: Running | undefined;
  /** Outermost first. */
  readonly shifts: readonly Shift[];
}

/** Of each group, only the rows of the first or last value count. */
export interface Lasting {
  readonly field: Expression;
  readonly choice: 'first' | 'last';
  readonly within: readonly Expression[];
}

export type Running = Pick<Cumulative, 'window' | 'grainToDate'>;

/** A metric as arithmetic over measures. */
export interface AnalysedMetric {
  readonly metric: Metric;
  /** Its columns are keys of measures. */
  readonly value: Expression;
  readonly measures: readonly Measure[];
  /** By their defined names, itself first. */
  readonly madeOf: readonly string[];
}

interface Context {
  readonly bound: BoundKnowledge;
  readonly measures: Map<string, Measure>;
  readonly madeOf: Set<string>;
  /** From the metric that was asked for inwards. */
  readonly path: readonly string[];
  readonly filters: readonly Expression[];
  readonly running: Running | undefined;
  readonly shifts: readonly Shift[];
}

const MAX_DEPTH = 100;
/** A metric of two metrics of two metrics … doubles with each level. */
const MAX_PARTS = 1_000;
const NOWHERE = { start: 0, end: 0 };

const analysed = new WeakMap<BoundKnowledge, Map<string, AnalysedMetric>>();

/**
 * Takes a metric apart into its measures.
 *
 * @throws AskemaError `METRIC_REFUSED` for a name that is not there, `KNOWLEDGE_INVALID` for a definition that cannot be
 * used: a cycle, a column outside of an aggregate.
 */
export function analyseMetric(name: string, bound: BoundKnowledge): AnalysedMetric {
  const known = analysed.get(bound) ?? new Map<string, AnalysedMetric>();
  analysed.set(bound, known);
  const metric = metricNamed(name, bound);
  const key = metric.name.toLowerCase();
  let result = known.get(key);
  if (result === undefined) {
    const measures = new Map<string, Measure>();
    const madeOf = new Set<string>();
    const context = { bound, measures, madeOf, path: [], filters: [], running: undefined, shifts: [] };
    const value = metricValue(metric, context, { parts: 0 });
    result = { metric, value, measures: [...measures.values()], madeOf: [...madeOf] };
    known.set(key, result);
  }
  return result;
}

function metricNamed(name: string, { metrics }: BoundKnowledge, parent?: string): Metric {
  const metric = metrics.get(name.toLowerCase());
  if (metric !== undefined) return metric;
  const nearest = didYouMean(
    name,
    [...metrics.values()].map((known) => known.name),
  );
  if (parent !== undefined)
    throw invalidMetric(parent, `is made of \`${name}\`, which is not there. ${nearest}`.trim());
  const next = nearest || 'Ask for a metric of the knowledge.';
  throw refused('unknown-metric', `There is no metric \`${name}\`. ${next}`, { metric: name });
}

function metricValue(metric: Metric, outer: Context, count: { parts: number }): Expression {
  const { definition, name } = metric;
  const path = [...outer.path, name];
  if (outer.path.includes(name)) throw invalidMetric(name, `is made of itself: ${path.join(' → ')}.`);
  count.parts += 1;
  if (path.length > MAX_DEPTH) throw invalidMetric(name, `nests deeper than ${MAX_DEPTH} metrics.`);
  if (count.parts > MAX_PARTS)
    throw invalidMetric(
      path[0] ?? name,
      `is made of more than ${MAX_PARTS} parts. Define some of them by expressions.`,
    );
  outer.madeOf.add(name);
  const home = definition.kind === 'aggregate' ? definition.dataset : undefined;
  const context = { ...outer, path, filters: withFilter(definition.filter, name, outer, home) };
  const part = (input: MetricInput): Expression => inputValue(input, name, context, count);
  const value = ((): Expression => {
    switch (definition.kind) {
      case 'aggregate':
        return aggregateValue(metric, definition, context);
      case 'ratio':
        return binary('/', part(definition.numerator), part(definition.denominator));
      case 'cumulative':
        return cumulativeValue(name, definition, context, count);
      case 'derived': {
        const inputs = new Map(definition.inputs.map((input) => [(input.alias ?? input.metric).toLowerCase(), input]));
        return mapColumns(parseExpression(definition.expression, ansiLexer), (column) => {
          const input = column.qualifier.length === 0 ? inputs.get(column.name.toLowerCase()) : undefined;
          if (input !== undefined) return part(input);
          const nearest = didYouMean(column.name, inputs.keys());
          throw invalidMetric(name, `names \`${column.name}\`, which is none of its inputs. ${nearest}`.trim());
        });
      }
    }
  })();
  return definition.empty === 'zero' ? orZero(value) : value;
}

function inputValue(input: MetricInput, parent: string, context: Context, count: { parts: number }): Expression {
  const shifts = [...context.shifts];
  if (input.offset !== undefined) {
    const { count, unit } = input.offset;
    if (!Number.isSafeInteger(count))
      throw invalidMetric(parent, `has an offset of ${count} ${unit}; it must be a whole number.`);
    shifts.push({ kind: 'back', window: input.offset });
  }
  if (input.offsetToGrain !== undefined) shifts.push({ kind: 'start', grain: input.offsetToGrain });
  if (context.running !== undefined && shifts.length > context.shifts.length)
    throw invalidMetric(
      parent,
      'is a running value of an earlier one. Define the offset of the running value instead.',
    );
  const metric = metricNamed(input.metric, context.bound, parent);
  return metricValue(metric, { ...context, shifts, filters: withFilter(input.filter, parent, context) }, count);
}

function cumulativeValue(
  name: string,
  { input, window, grainToDate }: Cumulative,
  context: Context,
  count: { parts: number },
): Expression {
  if (context.running !== undefined)
    throw invalidMetric(context.path.at(-2) ?? name, `is a running value of the running value \`${name}\`.`);
  if (window !== undefined && !(Number.isSafeInteger(window.count) && window.count > 0))
    throw invalidMetric(name, `has a window of ${window.count} ${window.unit}; it must be a whole number above 0.`);
  const running = { ...(window !== undefined && { window }), ...(grainToDate !== undefined && { grainToDate }) };
  return inputValue(input, name, { ...context, running }, count);
}

function withFilter(
  filter: string | undefined,
  metric: string,
  { bound, filters }: Context,
  home?: string | undefined,
): readonly Expression[] {
  if (filter === undefined) return filters;
  const where = `The filter of the metric \`${metric}\``;
  return [...filters, bindCondition(filter, { bound, home, where, columns: true })];
}

function aggregateValue({ name }: Metric, definition: Aggregate, context: Context): Expression {
  const { bound } = context;
  const chosen = chooseExpression(definition.expressions, bound.dialect);
  if (chosen === undefined)
    throw invalidMetric(name, `has no expression for ${bound.dialect.displayName}. Add one for ANSI_SQL.`);
  const where = `The metric \`${name}\``;
  const scope = { bound, where, home: definition.dataset, columns: true };
  const expression = bindNames(parseExpression(chosen.text, chosen.lexer), scope);
  checkNumbers(expression, where, bound);
  const replace = (part: Expression): Expression => {
    if (part.kind === 'column')
      throw invalidMetric(name, `names \`${part.name}\` outside of an aggregate. Write SUM or MAX around it, say.`);
    if (part.kind !== 'call' || !part.isAggregate) return mapParts(part, replace);
    return placeholder(measureOf(part, name, definition, context), context);
  };
  let aggregates = 0;
  walkExpression(expression, (part) => {
    if (part.kind === 'call' && part.isAggregate) aggregates += 1;
  });
  if (aggregates === 0) throw invalidMetric(name, 'aggregates nothing. Write SUM or COUNT around it, say.');
  return replace(expression);
}

function measureOf(written: Call, metric: string, definition: Aggregate, context: Context): Measure {
  const { bound, filters, running, shifts } = context;
  walkExpression(written, (part) => {
    if (part !== written && part.kind === 'call' && part.isAggregate)
      throw invalidMetric(
        metric,
        `has ${part.name} inside of ${written.name}. Make the inner one a metric of its own.`,
      );
  });
  const call = withNumbers(written, bound);
  const dataset = homeOf(call, metric, definition, bound);
  const time = timeOf(metric, definition, dataset, bound);
  const where = `The metric \`${metric}\``;
  const named = (name: string): Expression => fieldNamed(name, where, bound, definition.dataset).field.expression;
  const { nonAdditive } = definition;
  const lasting = nonAdditive && {
    field: named(nonAdditive.field),
    choice: nonAdditive.choice,
    within: nonAdditive.within.map(named),
  };
  const parts = { call, dataset: dataset.dataset.name, filters, time: time?.name, lasting, running, shifts };
  const key = JSON.stringify(parts, (name, value: unknown) => (name === 'span' ? undefined : value));
  return { key, metric, call, dataset, filters, time, lasting, running, shifts };
}

/** The dataset of the columns of a call from which all others are reached; that of the definition where there are none. */
function homeOf(call: Call, metric: string, { dataset: named }: Aggregate, bound: BoundKnowledge): BoundDataset {
  const own = named === undefined ? undefined : bound.datasets.get(named.toLowerCase());
  const datasets = [...datasetsIn(call, bound)];
  if (datasets.length === 0) {
    if (own !== undefined) return own;
    throw invalidMetric(metric, `does not say whose rows ${call.name} counts. Set its \`dataset\`.`);
  }
  const homes = datasets.filter((home) => datasets.every((other) => reachesOne(home, other, bound)));
  const home = own !== undefined && homes.includes(own) ? own : homes[0];
  if (home !== undefined) return home;
  const names = datasets.map(({ dataset }) => `\`${dataset.name}\``).join(' and ');
  throw refused(
    'fan-out',
    `The metric \`${metric}\` computes ${call.name} over columns of ${names}, of which none reaches the others from ` +
      'many to one. Aggregate each of them apart.',
    { metric },
  );
}

/** Its own, that of its dataset, or the only time that the dataset has. */
function timeOf(
  metric: string,
  { time }: Aggregate,
  dataset: BoundDataset,
  bound: BoundKnowledge,
): FieldOf | undefined {
  const name = time ?? dataset.dataset.defaultTime;
  const where = `The time of the metric \`${metric}\``;
  if (name !== undefined) return fieldNamed(name, where, bound, dataset.dataset.name);
  const [only, other] = [...dataset.fields.values()].filter(({ isTime }) => isTime);
  return only !== undefined && other === undefined ? fieldOf(dataset, only) : undefined;
}

/** Truth values are added up as 1 and 0: most engines refuse to. */
function withNumbers(call: Call, { dialect }: BoundKnowledge): Call {
  if (call.name !== 'SUM' && call.name !== 'AVG') return call;
  const asNumber = (part: Expression): Expression => {
    if (expressionType(part, dialect) !== 'BOOL') return part;
    const no: Expression = { kind: 'unary', operator: 'NOT', operand: part, span: part.span };
    const branches = [
      { when: part, result: number('1') },
      { when: no, result: number('0') },
    ];
    return { kind: 'case', branches, span: part.span };
  };
  return { ...call, arguments: call.arguments.map(asNumber) };
}

function placeholder(measure: Measure, { measures, bound }: Context): ColumnName {
  measures.set(measure.key, measures.get(measure.key) ?? measure);
  const type = expressionType(measure.call, bound.dialect) ?? 'NUMERIC';
  const key = { dataset: '', column: measure.key, type };
  return { kind: 'column', qualifier: [], name: measure.key, isQuoted: true, bound: key, span: NOWHERE };
}

function binary(operator: '/', left: Expression, right: Expression): Expression {
  return { kind: 'binary', operator, left, right, span: NOWHERE };
}

function orZero(value: Expression): Expression {
  const call = { name: 'COALESCE', isAggregate: false, isDistinct: false, arguments: [value, number('0')] };
  return { kind: 'call', ...call, span: NOWHERE };
}

function number(value: string): Expression {
  return { kind: 'literal', type: 'number', value, span: NOWHERE };
}

/** Undefined for a definition that cannot be used: what is wrong with it, a check tells. */
export function analysedOrNone({ name }: Metric, bound: BoundKnowledge): AnalysedMetric | undefined {
  try {
    return analyseMetric(name, bound);
  } catch {
    return undefined;
  }
}
