import type { Adapter } from '../../adapter/adapter-spec.ts';
import { fillProbe } from '../../adapter/fill-probe.ts';
import { parameterPlaceholder } from '../../adapter/parameter-placeholder.ts';
import { qualifiedName } from '../../adapter/quote-name.ts';
import type { ResolvedQuery } from '../resolved-query.ts';
import { anyRow, type LookUpLimits } from './look-up-rows.ts';
import type { ValueCondition } from './value-conditions.ts';

/** The probe of `Dialect.probes` that asks whether any row meets a condition, for engines without LIMIT. */
export const OCCURS_PROBE = 'occurs';

const DEFAULT_SKELETON = 'SELECT 1 FROM {relation} WHERE {condition} LIMIT 1';

/**
 * Asks the database whether any row of the relation meets the condition, with its very operator and the value as a bound
 * parameter. Undefined where the database did not say: the statement failed or took too long.
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
  const sql = fillProbe(adapter.dialect.probes[OCCURS_PROBE] ?? DEFAULT_SKELETON, {
    relation: qualifiedName(info.nameParts, adapter.dialect, 'always'),
    condition: condition.sql(parameterPlaceholder(adapter.dialect, 1)),
  });
  return anyRow(adapter, sql, { ...limits, parameters: [condition.value.text] });
}
