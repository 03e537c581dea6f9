import { quoteIfNeeded } from '@askema/core';
import type { BoundDataset, BoundKnowledge } from '../bind/bound-knowledge.ts';
import { definitionText, lastingText } from '../bind/definition-text.ts';
import { type AnalysedMetric, analysedOrNone } from '../compile/analyse-metric.ts';
import { bindCondition, datasetsIn } from '../compile/bind-names.ts';
import { joinPath } from '../compile/join-graph.ts';
import type { ColumnName, Expression } from '../expression/expression.ts';
import { conjunction, mapColumns } from '../expression/walk-expression.ts';
import { writeExpression } from '../expression/write-expression.ts';
import type { Metric } from '../model/semantic-model.ts';

/**
 * The times by which the rows of a metric are put in time, or that some have none; undefined where nobody knows.
 * `physical`: as columns of tables.
 */
export function timeText(metric: Metric, bound: BoundKnowledge | undefined, physical = false): string | undefined {
  if (bound === undefined) {
    const time = metric.definition.kind === 'aggregate' ? metric.definition.time : undefined;
    return time === undefined ? undefined : `Time: ${time}`;
  }
  const analysed = analysedOrNone(metric, bound);
  if (analysed === undefined) return undefined;
  const times = analysed.measures.map(
    ({ time }) => time && (physical ? physicalText(time.field.expression, bound) : time.name),
  );
  return times.includes(undefined) ? 'No time' : `Time: ${[...new Set(times)].join(' and ')}`;
}

/** How a metric is computed, for who writes it out: columns of tables, with conditions and joins where they are its own. */
export function computedText(metric: Metric, bound: BoundKnowledge): string {
  const { definition } = metric;
  const analysed = definition.kind === 'aggregate' ? analysedOrNone(metric, bound) : undefined;
  if (analysed === undefined) return definitionText(metric, bound.dialect);
  const { measures } = analysed;
  const calls = new Map(measures.map(({ key, call }) => [key, call]));
  const filter = conjunction(measures[0]?.filters ?? []);
  const joins = new Set(
    measures.flatMap(({ call, filters, dataset }) =>
      [call, ...filters].flatMap((part) => [...datasetsIn(part, bound)]).flatMap((to) => joinsText(dataset, to, bound)),
    ),
  );
  try {
    const value = mapColumns(withoutZero(analysed), (column) => calls.get(column.name) ?? column);
    const text = physicalText(value, bound);
    const rows = new Set(measures.map(({ dataset }) => tableText(dataset)));
    const from = text.includes('(*)') ? ` of ${[...rows].join(' and ')}` : '';
    const where = filter === undefined ? '' : ` where ${physicalText(filter, bound)}`;
    return `${text}${lastingText(definition)}${from}${where}${joins.size === 0 ? '' : `, joined on ${[...joins].join(' and ')}`}`;
  } catch {
    return definitionText(metric, bound.dialect);
  }
}

/** Without the 0 for no rows, which is told beside it. */
function withoutZero({ metric, value }: AnalysedMetric): Expression {
  const inner = metric.definition.empty === 'zero' && value.kind === 'call' ? value.arguments[0] : undefined;
  return inner ?? value;
}

/** A condition over fields, as columns of tables. `dataset`: where bare names are looked up first. */
export function physicalCondition(condition: string, dataset: string, bound: BoundKnowledge): string {
  try {
    const scope = { bound, home: dataset, where: 'A condition', columns: true };
    return physicalText(bindCondition(condition, scope), bound);
  } catch {
    return condition;
  }
}

function physicalText(expression: Expression, bound: BoundKnowledge): string {
  return writeExpression(expression, bound.dialect, { column: (column) => columnText(column, bound) });
}

/** As it stands in FROM; a query by the name of its dataset. */
function tableText({ dataset, from, relation }: BoundDataset): string {
  return relation === undefined ? dataset.name : from;
}

function columnText({ bound: column, name }: ColumnName, { datasets, dialect }: BoundKnowledge): string {
  const dataset = column && datasets.get(column.dataset.toLowerCase());
  const text = quoteIfNeeded(column?.column ?? name, dialect);
  return dataset === undefined ? text : `${tableText(dataset)}.${text}`;
}

function joinsText(from: BoundDataset, to: BoundDataset, bound: BoundKnowledge): string[] {
  const path = joinPath(from, to, bound);
  if (path.kind !== 'path') return [];
  return path.joins.flatMap((join) =>
    join.pairs.map(({ near, far }) => {
      const [left, right] = [near.name, far.name].map((column) => quoteIfNeeded(column, bound.dialect));
      return `${tableText(join.from)}.${left} = ${tableText(join.to)}.${right}`;
    }),
  );
}
