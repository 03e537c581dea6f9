import { indexSchema } from '@askema/core';
import type { BoundDataset } from '../bind/bound-knowledge.ts';
import type { ColumnName, Expression } from '../expression/expression.ts';
import { datasetsIn, type FieldOf } from './bind-names.ts';
import { type Join, joinPath } from './join-graph.ts';
import type { Dimension } from './plan-request.ts';
import type { Scan } from './plan-scans.ts';
import { refused } from './refused.ts';
import type { Writing } from './writing.ts';

/** FROM and WHERE of a scan. */
export interface ScanSource {
  readonly from: string;
  readonly joins: readonly string[];
  readonly where: readonly string[];
  /** A row of the dataset may come up several times; allowed with `fanOut: 'once'` only. */
  readonly repeats: boolean;
}

/** Joins the dataset of a scan with all that the scan and the dimensions read. */
export function scanSource(scan: Scan, dimensions: readonly Dimension[], writing: Writing): ScanSource {
  const joins = new Map<string, Join>();
  const reach = (target: BoundDataset, what: string, mayRepeat: boolean): void => {
    for (const join of joinsTo(target, what, scan, mayRepeat, writing))
      joins.set(join.to.dataset.name.toLowerCase(), join);
  };
  const reachAll = (expression: Expression, what: string, mayRepeat: boolean): void => {
    for (const dataset of datasetsIn(expression, writing.bound)) reach(dataset, what, mayRepeat);
  };
  for (const { call } of scan.measures) reachAll(call, 'its expression', false);
  for (const filter of scan.filters) reachAll(filter, 'its filter', true);
  if (scan.time !== undefined) reach(scan.time.dataset, `its time \`${scan.time.name}\``, false);
  if (scan.lasting !== undefined)
    for (const field of [scan.lasting.field, ...scan.lasting.within]) reachAll(field, 'its non-additive field', false);
  for (const { of } of dimensions) if (of !== undefined) reach(of.dataset, `the group \`${of.name}\``, true);
  for (const { expression } of scan.conditions) {
    const said = [...datasetsIn(expression, writing.bound)].map(({ dataset }) => `\`${dataset.name}\``).join(', ');
    reachAll(expression, `the condition on ${said}`, true);
  }
  const time = (): string => dayOf(scan, writing);
  const moment = scan.time && momentOf(scan.time, writing);
  const conditions = scan.conditions.map(({ expression }) => writing.condition(expression, time, moment));
  return {
    from: writing.source(scan.dataset),
    joins: [...joins.values()].map((join) => `LEFT JOIN ${writing.source(join.to)} ON ${joinCondition(join, writing)}`),
    where: [...scan.filters.map((filter) => writing.condition(filter, time)), ...conditions],
    repeats: [...joins.values()].some(({ repeats }) => repeats),
  };
}

/** The day of a row, over the columns of FROM. */
export function dayOf({ time }: Scan, writing: Writing): string {
  return time === undefined ? 'NULL' : dayIn(time, writing);
}

/** A dimension of a row, over the columns of FROM. */
export function dimensionOf({ of, grain }: Dimension, scan: Scan, writing: Writing): string {
  const field = of ?? scan.time;
  if (field === undefined) return 'NULL';
  if (grain !== undefined) return writing.periods.truncate(dayIn(field, writing), grain);
  return writing.expression(field.field.expression);
}

function dayIn(field: FieldOf, writing: Writing): string {
  const moment = momentOf(field, writing);
  if (moment !== undefined) return `CAST(${moment} AS DATE)`;
  return writing.periods.day(writing.expression(field.field.expression));
}

/** A time as it is stored, where it compares with a day as its own day does. */
function momentOf({ dataset, field: { expression } }: FieldOf, writing: Writing): string | undefined {
  const { catalog, dialect } = writing.bound;
  const rangeTypes = dialect.calendar?.rangeTypes;
  if (rangeTypes === undefined || expression.kind !== 'column' || dataset.relation === undefined) return undefined;
  const column = indexSchema(catalog).attributeNamed(dataset.relation, expression.bound?.column ?? '');
  const nativeType = column && catalog.attributes[column.id]?.nativeType;
  if (nativeType === undefined || !new RegExp(`^(?:${rangeTypes})$`, 'i').test(nativeType)) return undefined;
  return writing.expression(expression);
}

/** Columns that the measures of a scan read. */
export function columnsOf(
  expressions: readonly Expression[],
  visit: (expression: Expression) => ColumnName[],
): ColumnName[] {
  const found = new Map<string, ColumnName>();
  for (const column of expressions.flatMap(visit))
    found.set(JSON.stringify([column.bound?.dataset, column.bound?.column]), column);
  return [...found.values()];
}

function joinCondition({ from, to, pairs }: Join, writing: Writing): string {
  return pairs
    .map(({ near, far }) => {
      const left = writing.sourceColumn(to.dataset.name, far.name);
      return `${left} = ${writing.sourceColumn(from.dataset.name, near.name)}`;
    })
    .join(' AND ');
}

function joinsTo(
  target: BoundDataset,
  what: string,
  { dataset, metric }: Scan,
  mayRepeat: boolean,
  writing: Writing,
): readonly Join[] {
  const from = dataset.dataset.name;
  const to = target.dataset.name;
  const path = joinPath(dataset, target, writing.bound);
  const details = { metric, from, to };
  switch (path.kind) {
    case 'path':
      return path.joins;
    case 'ambiguous':
      throw ambiguous(path.relationships, what, details);
    case 'none':
      throw refused(
        'unreachable',
        `The metric \`${metric}\` cannot reach ${what}: no relationships lead from \`${from}\` to \`${to}\`. ` +
          `Ask for a field of ${reachable(dataset, writing)}.`,
        details,
      );
    case 'fan-out': {
      if (mayRepeat && writing.fanOut === 'once') {
        if (path.ambiguous !== undefined) throw ambiguous(path.ambiguous, what, details);
        return path.joins;
      }
      const { relationship } = path.join.relationship;
      const once = mayRepeat ? ", or set `fanOut` to 'once' to count each row once in each group" : '';
      throw refused(
        'fan-out',
        `The metric \`${metric}\` cannot be computed with ${what}: the join \`${relationship.name}\` from ` +
          `\`${path.join.from.dataset.name}\` to \`${path.join.to.dataset.name}\` repeats rows of \`${from}\`. ` +
          `Ask for a field of ${reachable(dataset, writing)}${once}.`,
        { ...details, relationship: relationship.name },
      );
    }
  }
}

function ambiguous(
  relationships: readonly [string, string],
  what: string,
  details: { readonly metric: string; readonly from: string; readonly to: string },
): Error {
  const [one, other] = relationships;
  return refused(
    'ambiguous-path',
    `The metric \`${details.metric}\` reaches ${what} over \`${one}\` and over \`${other}\`. ` +
      `Leave one of the relationships out, or give \`${details.to}\` a dataset for each.`,
    { ...details, relationships },
  );
}

/** The datasets that are reached from many to one, for a message. */
function reachable(dataset: BoundDataset, { bound }: Writing): string {
  const others = [...bound.datasets.values()].filter((other) => joinPath(dataset, other, bound).kind === 'path');
  return others
    .slice(0, 5)
    .map((other) => `\`${other.dataset.name}\``)
    .join(', ');
}
