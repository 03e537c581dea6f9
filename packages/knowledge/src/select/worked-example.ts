import { quoteIdentifier, quoteIfNeeded, quoteString } from '@askema/core';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import type { FieldOf } from '../compile/bind-names.ts';
import { compileMetrics } from '../compile/compile-metrics.ts';
import { expandMetrics } from '../compile/expand-metrics.ts';
import type { Metric } from '../model/semantic-model.ts';
import type { Reach } from './metric-reach.ts';
import { timeText } from './metric-text.ts';

/** A day that says nothing about the question. */
const SOME_DAY = "metric_time >= '2024-01-01'";
const SOME_PERIOD = 'metric_time:month';

/**
 * A statement that takes a metric by group under a condition, with names that are shown: by a field of another dataset
 * where there is one. Undefined where none compiles.
 */
export function workedExample(reach: Reach, bound: BoundKnowledge): string | undefined {
  const [metric] = reach.metrics;
  const group = groupOf(reach);
  if (metric === undefined || group === undefined) return undefined;
  const conditions = timeText(metric, bound)?.startsWith('Time') === true ? [SOME_DAY] : [];
  conditions.push(...reach.fields.flatMap((field) => someValue(field, bound)));
  conditions.push(`${written(group.name, bound)} IS NOT NULL`);
  // What compares periods has a value by periods alone.
  for (const by of [[group.name], [group.name, SOME_PERIOD]])
    for (const condition of conditions) {
      const sql = statement(metric, by, condition, bound);
      if (sql !== undefined) return sql;
    }
  return undefined;
}

/** Times are grouped by a grain. */
function groupOf({ homes, fields, others }: Reach): FieldOf | undefined {
  const groups = [...fields, ...others].filter(({ field }) => !field.isTime);
  return groups.find(({ dataset }) => !homes.has(dataset)) ?? groups[0];
}

/** True where it can be shown across datasets. */
export function crossesDatasets(reach: Reach): boolean {
  const group = groupOf(reach);
  return group !== undefined && !reach.homes.has(group.dataset);
}

function statement(
  metric: Metric,
  by: readonly string[],
  condition: string,
  bound: BoundKnowledge,
): string | undefined {
  const { dialect } = bound;
  try {
    const { columns } = compileMetrics({ metrics: [metric.name], by }, bound);
    const shown = columns.map((column) => `m.${quoteIfNeeded(column.name, dialect)}`).join(', ');
    const groups = by.map((name) => (name === SOME_PERIOD ? name : written(name, bound))).join(', ');
    const sql = `SELECT ${shown} FROM metric(${written(metric.name, bound)} BY ${groups} WHERE ${condition}) AS m`;
    expandMetrics(sql, bound);
    // Each entry keeps to its line.
    return sql.includes('\n') ? undefined : sql;
  } catch {
    return undefined;
  }
}

/** A value that the field is known to have. */
function someValue({ name, field }: FieldOf, bound: BoundKnowledge): string[] {
  const value = field.field.values.find((one) => typeof one.value === 'string')?.value;
  return typeof value === 'string' ? [`${written(name, bound)} = ${quoteString(value, bound.dialect)}`] : [];
}

/** Inside of the brackets case does not count, so that few names need quotes. */
function written(name: string, { dialect }: BoundKnowledge): string {
  const isPlain = (part: string): boolean =>
    /^[\p{L}_][\p{L}\p{N}_]*$/u.test(part) && !dialect.identifiers.reservedWords.includes(part.toUpperCase());
  return name
    .split('.')
    .map((part) => (isPlain(part) ? part : quoteIdentifier(part, dialect)))
    .join('.');
}
