import { type Adapter, fillProbe, qualifiedName, quoteIdentifier, quoteString, type Value } from '@askema/core';
import type { ResolvedQuery } from '../resolve/resolved-query.ts';
import { writtenOtherwise } from './date-forms.ts';
import { type LookUpLimits, lookUpRows, OCCURS_PROBE, OCCURS_SKELETON } from './look-up-cells.ts';
import type { OrderedCondition } from './ordered-conditions.ts';

/** What a column holds where no row meets a condition. Cells as texts. */
export interface OrderedCells {
  readonly least: string;
  readonly greatest: string;
  /** The cells next to the value of an equality. */
  readonly below: string | undefined;
  readonly above: string | undefined;
  /** Cells that are the same day, written otherwise: one or two. */
  readonly sameDay: readonly string[];
}

/**
 * Whether any row of its relation meets each condition, by one statement for all conditions of a relation: the engine
 * stops at the first row that does. Undefined where the database did not say.
 *
 * @throws AskemaError `ABORTED`.
 */
export async function whichOccur(
  adapter: Adapter,
  query: ResolvedQuery,
  conditions: readonly OrderedCondition[],
  limits: LookUpLimits,
): Promise<readonly boolean[] | undefined> {
  const relation = relationOf(query, conditions);
  if (relation === undefined) return undefined;
  const skeleton = adapter.dialect.probes[OCCURS_PROBE] ?? OCCURS_SKELETON;
  const probes = conditions.map(({ sql }, at) => `(${fillProbe(skeleton, { relation, condition: sql })}) AS c${at}`);
  const rows = await lookUpRows(adapter, `SELECT ${probes.join(', ')}`, { ...limits, maxRows: 1 });
  const [row] = rows ?? [];
  return row === undefined ? undefined : conditions.map((_, at) => (row[at] ?? null) !== null);
}

/**
 * What the columns of conditions that no row meets hold, by one statement that reads the relation once. Undefined for a
 * column without cells, and where the database did not say.
 *
 * @throws AskemaError `ABORTED`.
 */
export async function orderedCells(
  adapter: Adapter,
  query: ResolvedQuery,
  conditions: readonly OrderedCondition[],
  limits: LookUpLimits,
): Promise<readonly (OrderedCells | undefined)[]> {
  const relation = relationOf(query, conditions);
  if (relation === undefined) return [];
  const asked = conditions.map((condition) => aggregatesOf(query, condition));
  const columns = asked.flat().map((aggregate, at) => `${aggregate} AS c${at}`);
  const rows = await lookUpRows(adapter, `SELECT ${columns.join(', ')} FROM ${relation}`, { ...limits, maxRows: 1 });
  const [row] = rows ?? [];
  if (row === undefined) return [];
  let start = 0;
  return asked.map((aggregates) => {
    const values = row.slice(start, start + aggregates.length).map(cellText);
    start += aggregates.length;
    return cellsOf(values);
  });
}

function cellsOf(values: readonly (string | undefined)[]): OrderedCells | undefined {
  const [least, greatest, below, above, first, last] = values;
  if (least === undefined || greatest === undefined) return undefined;
  const sameDay = [...new Set([first, last])].filter((cell) => cell !== undefined);
  return { least, greatest, below, above, sameDay };
}

/** In the order of {@link cellsOf}. */
function aggregatesOf({ index, dialect }: ResolvedQuery, condition: OrderedCondition): readonly string[] {
  const { attribute, kind, isText, equals } = condition;
  const name = quoteIdentifier(index.attribute(attribute)?.name ?? '', dialect);
  // Not every engine has an order of truth values.
  const cell = kind === 'truth' ? `CASE WHEN ${name} THEN 'TRUE' WHEN NOT ${name} THEN 'FALSE' END` : name;
  const ends = [`MIN(${cell})`, `MAX(${cell})`];
  if (equals === undefined || kind === 'truth') return ends;
  const where = (aggregate: string, test: string): string => `${aggregate}(CASE WHEN ${name} ${test} THEN ${name} END)`;
  const next = [where('MAX', `< ${equals.sql}`), where('MIN', `> ${equals.sql}`)];
  const others = isText ? writtenOtherwise(equals.text).map((text) => quoteString(text, dialect)) : [];
  if (others.length === 0) return [...ends, ...next];
  const isOther = `IN (${others.join(', ')})`;
  return [...ends, ...next, where('MIN', isOther), where('MAX', isOther)];
}

/** The relation that all of these conditions are about, as SQL. */
function relationOf(
  { index, catalog, dialect }: ResolvedQuery,
  [first]: readonly OrderedCondition[],
): string | undefined {
  const relation = first && index.attribute(first.attribute)?.relation;
  const info = relation === undefined ? undefined : catalog.relations[relation];
  // The whole of it would come over from another server.
  return info === undefined || info.remote === true ? undefined : qualifiedName(info.nameParts, dialect, 'always');
}

/** Drivers write times with a T; statements mostly with a blank. */
function cellText(value: Value): string | undefined {
  if (typeof value === 'string') return value.replace(/^(\d{4}-\d{2}-\d{2})T(?=\d)/, '$1 ');
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined;
}
