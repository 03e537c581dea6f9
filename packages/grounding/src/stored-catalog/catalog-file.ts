import { createHash } from 'node:crypto';
import {
  type AttributeId,
  type Catalog,
  decodeValue,
  encodeValue,
  indexSchema,
  type JsonValue,
  type Value,
} from '@askema/core';
import type { Sample } from '../explore/draw-samples.ts';
import type { InferredKey } from '../keys/infer-keys.ts';
import { packCatalog } from './pack-catalog.ts';
import { BrokenForm, unpackCatalog } from './unpack-catalog.ts';

/** Raised when a file means something else; files of other versions are passed over. */
export const CATALOG_FILE_VERSION = 3;

/** Some 300,000 tables of the usual width. */
export const MAX_FILE_BYTES = 128 * 1024 * 1024;

/** What was read of a database, and the stamps that it had before. */
export interface StoredCatalog {
  /** When the catalog was read, in milliseconds of the epoch. */
  readonly readAt: number;
  readonly structure: string;
  readonly data: string | undefined;
  readonly catalog: Catalog;
  /** What depends on values. */
  readonly drawn: DrawnValues;
}

export interface DrawnValues {
  /** Keys that nobody declared; undefined where they were not looked for. */
  readonly keys?: readonly InferredKey[] | undefined;
  readonly samples?: StoredSamples | undefined;
}

export interface StoredSamples {
  /** Values asked for of each attribute. */
  readonly limit: number;
  readonly values: Readonly<Record<AttributeId, Sample>>;
}

/** Two lines behind the first, which is about them. */
interface Head {
  readonly version: number;
  /** What the name of the file is made of. */
  readonly key: string;
  readonly readAt: number;
  readonly structure: string;
  readonly data?: string | undefined;
  /** SHA-256 of what follows: a file may be cut, or its disk may fail. */
  readonly digest: string;
}

/** The text of a file; undefined for a catalog that cannot be kept, or is too large. */
export function catalogFileText(key: string, { catalog, drawn, ...stamps }: StoredCatalog): string | undefined {
  const packed = packCatalog(catalog);
  if (packed === undefined) return undefined;
  const { samples, keys } = drawn;
  const values = samples && { limit: samples.limit, values: encodeValue(Object.entries(samples.values).map(written)) };
  const body = `${JSON.stringify(packed)}\n${JSON.stringify({ keys, samples: values })}\n`;
  if (body.length > MAX_FILE_BYTES / 2) return undefined;
  const head: Head = { version: CATALOG_FILE_VERSION, key, ...stamps, digest: digestOf(body) };
  return `${JSON.stringify(head)}\n${body}`;
}

/** What stands in a file that was written for this key; undefined for any other content. */
export function parseCatalogFile(key: string, content: Buffer): StoredCatalog | undefined {
  try {
    const headEnd = content.indexOf(LINE_END);
    const catalogEnd = content.indexOf(LINE_END, headEnd + 1);
    if (headEnd < 0 || catalogEnd < 0) return undefined;
    const head = JSON.parse(content.toString('utf8', 0, headEnd)) as Partial<Head>;
    const { version, readAt, structure, data, digest } = head;
    if (version !== CATALOG_FILE_VERSION || head.key !== key) return undefined;
    if (digest !== digestOf(content.subarray(headEnd + 1))) return undefined;
    if (typeof readAt !== 'number' || typeof structure !== 'string') return undefined;
    if (data !== undefined && typeof data !== 'string') return undefined;
    const catalog = unpackCatalog(JSON.parse(content.toString('utf8', headEnd + 1, catalogEnd)));
    const drawn = drawnOf(JSON.parse(content.toString('utf8', catalogEnd + 1)), catalog);
    return { readAt, structure, data, catalog, drawn };
  } catch {
    // Not written by us, or by another version.
    return undefined;
  }
}

const LINE_END = 0x0a;

function digestOf(body: string | Uint8Array): string {
  return createHash('sha256').update(body).digest('hex');
}

function drawnOf(parsed: unknown, catalog: Catalog): DrawnValues {
  const { keys, samples } = parsed as { readonly keys?: unknown; readonly samples?: unknown };
  return {
    keys: keys === undefined ? undefined : listed(keys).map((key) => keyOf(key, catalog)),
    samples: samples === undefined ? undefined : samplesOf(samples, catalog),
  };
}

function keyOf(value: unknown, catalog: Catalog): InferredKey {
  const { foreignKey, matchedShare, valueCount } = value as InferredKey;
  const { id, relation, target } = foreignKey;
  const pairs = listed(foreignKey.pairs) as typeof foreignKey.pairs;
  const index = indexSchema(catalog);
  const isKnown = [relation, target].every((one) => index.relation(one) !== undefined) && typeof id === 'string';
  const areKnown = pairs.every(({ from, to }) => [from, to].every((one) => index.attribute(one) !== undefined));
  if (!isKnown || !areKnown || typeof matchedShare !== 'number' || typeof valueCount !== 'number')
    throw new BrokenForm('a key');
  return { foreignKey: { id, relation, target, pairs }, matchedShare, valueCount };
}

/** As JSON: NULL for no range. */
function written([id, { values, isCut, isWhole, range }]: readonly [AttributeId, Sample]): Value {
  return [id, [...values], isCut, isWhole, range === undefined ? null : [...range]] as Value;
}

function samplesOf(value: unknown, catalog: Catalog): StoredSamples {
  const { attribute } = indexSchema(catalog);
  const { limit, values } = value as { readonly limit?: unknown; readonly values?: JsonValue };
  if (typeof limit !== 'number') throw new BrokenForm('the samples');
  const entries = listed(decodeValue(values ?? null)).map((entry): [AttributeId, Sample] => {
    const [id, own, isCut, isWhole, range] = listed(entry);
    if (typeof id !== 'string' || attribute(id) === undefined) throw new BrokenForm('a sample');
    const sample = { values: listed(own) as readonly Value[], isCut: isCut === true, isWhole: isWhole === true };
    if (range === null) return [id, sample];
    const [least = null, greatest = null] = listed(range) as readonly Value[];
    return [id, { ...sample, range: [least, greatest] }];
  });
  return { limit, values: Object.fromEntries(entries) };
}

function listed(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new BrokenForm('a list');
}
