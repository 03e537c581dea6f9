import type { Adapter } from '../../adapter/adapter-spec.ts';
import { fillProbe } from '../../adapter/fill-probe.ts';
import { parameterPlaceholder } from '../../adapter/parameter-placeholder.ts';
import { qualifiedName, quoteIdentifier } from '../../adapter/quote-name.ts';
import type { ResolvedQuery } from '../resolved-query.ts';
import { type LookUpLimits, lookUpRows } from './look-up-rows.ts';
import type { ValueCondition } from './value-conditions.ts';

/** The probe of `Dialect.probes` that lists the cells of an attribute in rows that meet a condition, for engines without LIMIT. */
export const COMPANIONS_PROBE = 'companions';

const DEFAULT_SKELETON = 'SELECT DISTINCT {attribute} FROM {relation} WHERE {condition} LIMIT {limit}';

/**
 * What the column of a condition holds in the rows that meet the other conditions on the same relation: of "Dean Peeters", the first
 * names of those whose last name is Peeters. Empty where there is no other condition that must hold and is met, where the rows hold more
 * than `limit` different cells, and where the database did not say.
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
  const sql = fillProbe(dialect.probes[COMPANIONS_PROBE] ?? DEFAULT_SKELETON, {
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

/** Another column of the same occurrence of the relation, compared by a condition that every row of the answer meets. */
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
