import { createHash } from 'node:crypto';
import {
  type Adapter,
  type AttributeId,
  type CallContext,
  castType,
  isAskemaError,
  qualifiedName,
  quoteIdentifier,
} from '@askema/core';
import { type AttributeRow, attributeRows } from '../store/attribute-rows.ts';
import type { Database } from '../store/driver.ts';
import type { BuildSettings } from './build-options.ts';
import type { PlannedAttribute } from './plan-attributes.ts';

/** An attribute that must be read, and what it is read for. */
export interface AttributeWork {
  readonly planned: PlannedAttribute;
  readonly digest: string | undefined;
  /** Readings that the new one takes the place of. */
  readonly before: readonly AttributeRow[];
}

/** What a build has to do. */
interface BuildWork {
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
 * Compares the attributes of a plan with what an index holds. Digests are asked one relation at a time, of attributes
 * that may not need to be read, and of those that will, so that the next build can compare.
 *
 * Rejects with `ABORTED`.
 */
export async function planWork(
  database: Database,
  planned: readonly PlannedAttribute[],
  options: { readonly adapter: Adapter; readonly settings: BuildSettings; readonly refresh: boolean },
): Promise<BuildWork> {
  const { adapter, settings, refresh } = options;
  const rows = Map.groupBy(attributeRows(database), ({ attribute }) => attribute);
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
  const relations = Map.groupBy(planned, ({ relation }) => JSON.stringify(relation));
  for (const attributes of relations.values())
    for (const [id, digest] of await digestAttributes(attributes, options)) digests.set(id, digest);
  return digests;
}

/** Attributes of one statement; each has four aggregates, and SQLite takes 2,000 result columns. */
const ATTRIBUTES_PER_STATEMENT = 50;
const DIGEST_BYTES = 16 * 1024 * 1024;

/**
 * Says by what the cells of attributes of one relation can be told from what they were: count, least, greatest, and
 * length of all together, hashed. One statement for up to 50 attributes, far cheaper than reading them. Where it fails,
 * the attributes are absent and will be read. A change that keeps all four goes unseen.
 *
 * Rejects with `ABORTED` only.
 */
async function digestAttributes(
  attributes: readonly PlannedAttribute[],
  options: { readonly adapter: Adapter; readonly timeoutMs: number; readonly context: CallContext },
): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  for (let at = 0; at < attributes.length; at += ATTRIBUTES_PER_STATEMENT) {
    const some = attributes.slice(at, at + ATTRIBUTES_PER_STATEMENT);
    const row = await readDigests(some, options);
    if (row === undefined) continue;
    for (const [place, { id }] of some.entries()) {
      const figures = row.slice(place * 4, place * 4 + 4).map(String);
      digests.set(id, createHash('sha256').update(JSON.stringify(figures)).digest('hex').slice(0, 32));
    }
  }
  return digests;
}

async function readDigests(
  attributes: readonly PlannedAttribute[],
  { adapter, timeoutMs, context }: Parameters<typeof digestAttributes>[1],
): Promise<readonly unknown[] | undefined> {
  const { dialect } = adapter;
  const relation = attributes[0]?.relation;
  if (relation === undefined) return undefined;
  const aggregates = attributes.flatMap(({ name }) => {
    const text = `CAST(${quoteIdentifier(name, dialect)} AS ${castType('TEXT', dialect)})`;
    return [`COUNT(${text})`, `MIN(${text})`, `MAX(${text})`, `SUM(LENGTH(${text}))`];
  });
  const named = aggregates.map((aggregate, place) => `${aggregate} AS figure${place}`).join(', ');
  try {
    const result = await adapter.query(`SELECT ${named} FROM ${qualifiedName(relation, dialect, 'always')} AS probed`, {
      maxRows: 1,
      maxBytes: DIGEST_BYTES,
      timeoutMs,
      access: 'read',
      context,
    });
    return result.truncated === undefined ? result.rows[0] : undefined;
  } catch (thrown) {
    if (isAskemaError(thrown) && thrown.code === 'ABORTED') throw thrown;
    return undefined;
  }
}
