import type { Adapter, AttributeId } from '@askema/core';
import { type AttributeRow, attributeRows } from '../store/attribute-rows.ts';
import type { Database } from '../store/driver.ts';
import type { BuildSettings } from './build-options.ts';
import { digestAttributes } from './data-digest.ts';
import { groupBy } from './group-by.ts';
import type { PlannedAttribute } from './plan-attributes.ts';

/** An attribute that must be read, and what it is read for. */
export interface AttributeWork {
  readonly planned: PlannedAttribute;
  readonly digest: string | undefined;
  /** Readings that the new one takes the place of. */
  readonly before: readonly AttributeRow[];
}

/** What a build has to do. */
export interface BuildWork {
  readonly read: readonly AttributeWork[];
  readonly unchanged: number;
  /** Readings of attributes that are no longer chosen or no longer there. */
  readonly drop: readonly AttributeRow[];
}

/** The limits under which an attribute is read; what a byte budget cut is read again only under a larger one. */
export function limitsText({ limits }: Pick<BuildSettings, 'limits'>, cutAtBytes?: number | undefined): string {
  return JSON.stringify(cutAtBytes === undefined ? limits : { ...limits, cutAtBytes });
}

/**
 * Compares the attributes of a plan with what an index holds. Digests are asked one relation at a time, of attributes that may not need
 * to be read, and of those that will, so that the next build can compare.
 *
 * Rejects with `ABORTED`.
 */
export async function planWork(
  database: Database,
  planned: readonly PlannedAttribute[],
  options: { readonly adapter: Adapter; readonly settings: BuildSettings; readonly refresh: boolean },
): Promise<BuildWork> {
  const { adapter, settings, refresh } = options;
  const rows = groupBy(attributeRows(database), ({ attribute }) => attribute);
  const digests = settings.digest
    ? await digestsOf(planned, { adapter, timeoutMs: settings.timeoutMs, context: settings.context })
    : new Map<AttributeId, string>();
  const read: AttributeWork[] = [];
  for (const attribute of planned) {
    const before = rows.get(attribute.id) ?? [];
    rows.delete(attribute.id);
    const digest = digests.get(attribute.id);
    const ready = before.find(({ state }) => state === 'ready');
    if (!refresh && before.length === 1 && ready !== undefined && isUnchanged(ready, attribute, digest, settings))
      continue;
    read.push({ planned: attribute, digest, before });
  }
  return { read, unchanged: planned.length - read.length, drop: [...rows.values()].flat() };
}

function isUnchanged(
  row: AttributeRow,
  { entry, rowCount }: PlannedAttribute,
  digest: string | undefined,
  settings: BuildSettings,
): boolean {
  if (row.entry !== entry) return false;
  const sameLimits = row.limits === limitsText(settings) || isCutByBytes(row, settings);
  if (!sameLimits) return false;
  return settings.digest ? digest !== undefined && digest === row.digest : (rowCount ?? null) === row.rowCount;
}

function isCutByBytes({ limits }: AttributeRow, settings: BuildSettings): boolean {
  const { maxBytes } = settings;
  const { cutAtBytes } = JSON.parse(limits) as { readonly cutAtBytes?: number };
  return (
    cutAtBytes !== undefined &&
    maxBytes !== undefined &&
    maxBytes <= cutAtBytes &&
    limits === limitsText(settings, cutAtBytes)
  );
}

async function digestsOf(
  planned: readonly PlannedAttribute[],
  options: Parameters<typeof digestAttributes>[1],
): Promise<ReadonlyMap<AttributeId, string>> {
  const digests = new Map<AttributeId, string>();
  const relations = groupBy(planned, ({ relation }) => JSON.stringify(relation));
  for (const attributes of relations.values())
    for (const [id, digest] of await digestAttributes(attributes, options)) digests.set(id, digest);
  return digests;
}
