import {
  type Adapter,
  type CallContext,
  fillProbe,
  isAskemaError,
  type Parameter,
  parameterPlaceholder,
  qualifiedName,
  quoteIdentifier,
  type Row,
} from '@askema/core';
import type { ResolvedQuery } from '../resolve/resolved-query.ts';
import type { ValueCondition } from './value-conditions.ts';

/** The probe of `Dialect.probes` that asks whether any row meets a condition, for engines without LIMIT. */
export const OCCURS_PROBE = 'occurs';

export const OCCURS_SKELETON = 'SELECT 1 FROM {relation} WHERE {condition} LIMIT 1';

/**
 * Asks the database whether any row of the relation meets the condition, with its very operator and the value as a
 * bound parameter. Undefined where the database did not say: the statement failed or took too long.
 *
 * @throws AskemaError `ABORTED`.
 */
export async function valueOccurs(
  adapter: Adapter,
  query: ResolvedQuery,
  condition: ValueCondition,
  limits: LookUpLimits,
): Promise<boolean | undefined> {
  const relation = query.index.attribute(condition.cell.attribute)?.relation;
  const info = relation === undefined ? undefined : query.catalog.relations[relation];
  if (info === undefined) return undefined;
  const sql = fillProbe(adapter.dialect.probes[OCCURS_PROBE] ?? OCCURS_SKELETON, {
    relation: qualifiedName(info.nameParts, adapter.dialect, 'always'),
    condition: condition.sql(parameterPlaceholder(adapter.dialect, 1)),
  });
  return anyRow(adapter, sql, { ...limits, parameters: [condition.value.text] });
}

/**
 * The probe of `Dialect.probes` that lists the cells of an attribute in rows that meet a condition, for engines without
 * LIMIT.
 */
const COMPANIONS_PROBE = 'companions';

const COMPANIONS_SKELETON = 'SELECT DISTINCT {attribute} FROM {relation} WHERE {condition} LIMIT {limit}';

/**
 * What the column of a condition holds in the rows that meet the other conditions on the same relation: of "Dean
 * Peeters", the first names of those whose last name is Peeters. Empty where there is no other condition that must hold
 * and is met, where the rows hold more than `limit` different cells, and where the database did not say.
 *
 * @throws AskemaError `ABORTED`.
 */
export async function companionCells(
  adapter: Adapter,
  query: ResolvedQuery,
  condition: ValueCondition,
  met: readonly ValueCondition[],
  options: LookUpLimits & { readonly limit: number },
): Promise<readonly string[]> {
  const attribute = query.index.attribute(condition.cell.attribute);
  const info = attribute === undefined ? undefined : query.catalog.relations[attribute.relation];
  const companions = met.filter((other) => isCompanion(condition, other));
  if (attribute === undefined || info === undefined || companions.length === 0 || options.limit < 1) return [];
  const { dialect } = adapter;
  const sql = fillProbe(dialect.probes[COMPANIONS_PROBE] ?? COMPANIONS_SKELETON, {
    attribute: quoteIdentifier(attribute.name, dialect),
    relation: qualifiedName(info.nameParts, dialect, 'always'),
    condition: companions.map((other, at) => other.sql(parameterPlaceholder(dialect, at + 1))).join(' AND '),
    limit: String(options.limit + 1),
  });
  const { limit, ...limits } = options;
  const parameters = companions.map((other) => other.value.text);
  const rows = (await lookUpRows(adapter, sql, { ...limits, parameters, maxRows: limit + 1 })) ?? [];
  const cells = rows.flatMap(([cell]) => (typeof cell === 'string' ? [cell] : []));
  return cells.length > limit ? [] : cells;
}

/**
 * Another column of the same occurrence of the relation, compared by a condition that every row of the answer meets.
 */
function isCompanion(condition: ValueCondition, other: ValueCondition): boolean {
  return (
    other !== condition &&
    condition.mustHold &&
    other.mustHold &&
    condition.place !== undefined &&
    other.place === condition.place &&
    other.cell.attribute !== condition.cell.attribute
  );
}

export interface LookUpLimits {
  readonly timeoutMs: number;
  readonly context: CallContext;
}

type LookUpOptions = LookUpLimits & { readonly parameters?: readonly Parameter[] | undefined };

/** Whether such a statement gives any row; undefined where the database did not say. Throws like {@link lookUpRows}. */
export async function anyRow(adapter: Adapter, sql: string, options: LookUpOptions): Promise<boolean | undefined> {
  const rows = await lookUpRows(adapter, sql, { ...options, maxRows: 1 });
  return rows === undefined ? undefined : rows.length > 0;
}

/**
 * The rows of a small read statement of the retriever. Undefined where the database did not say: the statement failed
 * or took too long.
 *
 * @throws AskemaError `ABORTED`.
 */
export async function lookUpRows(
  adapter: Adapter,
  sql: string,
  { parameters, maxRows, timeoutMs, context }: LookUpOptions & { readonly maxRows: number },
): Promise<readonly Row[] | undefined> {
  try {
    return (await adapter.query(sql, { parameters, maxRows, timeoutMs, access: 'read', context })).rows;
  } catch (thrown) {
    if (isAskemaError(thrown) && thrown.code === 'ABORTED') throw thrown;
    return undefined;
  }
}
