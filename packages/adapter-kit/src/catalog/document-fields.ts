import {
  type CallLimitsOptions,
  type Catalog,
  type Dialect,
  finishCatalog,
  isAskemaError,
  type NameParts,
  type NestedField,
  qualifiedName,
  quoteIdentifier,
} from '@askema/core';
import { runCall, type SessionCall } from '../sessions/session-call.ts';
import type { PooledSession, SessionPool } from '../sessions/session-pool.ts';
import { type JsonKind, scanJson } from './scan-json.ts';

/** Fields of one column that a catalog keeps. */
export const MAX_FIELDS = 100;
/** Parts of a path. */
export const MAX_DEPTH = 8;
/** Longer keys are data rather than names. */
const MAX_KEY_CHARACTERS = 128;
/** Different paths that are counted before the most frequent are chosen. */
const MAX_COUNTED = 5_000;

interface CountedPath {
  readonly path: readonly string[];
  readonly kinds: Set<JsonKind>;
  documents: number;
  last: number;
}

/**
 * The fields of a column, from some of its documents as JSON texts (each may be cut off). Of more than 100 those that
 * stand in most documents are kept, so that keys that are data (`{"2024-01-01": …}`) do not push names out; a field
 * never without the one that it is in. Order: as first seen. `[]` in a path is any element of an array.
 *
 * @param typeOf what a field is to be cast to, by the kinds of value that were seen there. Default: these kinds.
 */
export function documentFields(
  documents: Iterable<string>,
  typeOf: (kinds: ReadonlySet<JsonKind>) => string = (kinds) => [...kinds].join(' | '),
): NestedField[] {
  const counted = new Map<string, CountedPath>();
  let number = 0;
  for (const document of documents) {
    number += 1;
    scanJson(document, (path, kind) => {
      if (path.length === 0 || path.length > MAX_DEPTH) return;
      if (path.some((part) => part.length > MAX_KEY_CHARACTERS)) return;
      const key = JSON.stringify(path);
      let entry = counted.get(key);
      if (entry === undefined) {
        if (counted.size >= MAX_COUNTED) return;
        entry = { path: [...path], kinds: new Set(), documents: 0, last: 0 };
        counted.set(key, entry);
      }
      entry.kinds.add(kind);
      if (entry.last === number) return;
      entry.last = number;
      entry.documents += 1;
    });
  }
  const all = [...counted.values()];
  // The sort is stable, and what a field is in stands in as many documents and before it.
  const kept = new Set(all.toSorted((a, b) => b.documents - a.documents).slice(0, MAX_FIELDS));
  return all.filter((entry) => kept.has(entry)).map(({ path, kinds }) => ({ path, nativeType: typeOf(kinds) }));
}

/** A database with more such columns is left alone after these. */
const MAX_COLUMNS = 200;

/** All columns together. */
const TIMEOUT_MS = 2_000;

interface DocumentReading<S extends PooledSession, Begun> {
  readonly pool: SessionPool<S>;
  /** How all columns are looked into, in one call. */
  readonly call: (limits: CallLimitsOptions) => SessionCall<S, Begun>;
  readonly dialect: Pick<Dialect, 'identifiers'>;
  readonly signal: AbortSignal | undefined;
  /** Columns of such a native type hold documents. */
  readonly isDocument: (nativeType: string) => boolean;
  /** Others are left alone: reading them may do more than read. Default: all. */
  readonly isReadable?: ((nameParts: NameParts) => boolean) | undefined;
  /** The fields of one column, whose name and that of its table are SQL. */
  readonly fieldsOf: (session: S, table: string, column: string) => Promise<readonly NestedField[]>;
}

/**
 * The catalog with the fields inside of its columns with documents, of tables only: a view computes what it shows. The
 * columns are looked into one after another, within two seconds for all. They are an aid: an error leaves out those that
 * were not reached, but for the caller's abort.
 */
export async function withDocumentFields<S extends PooledSession, Begun>(
  catalog: Catalog,
  { dialect, signal, isDocument, isReadable = () => true, ...reading }: DocumentReading<S, Begun>,
): Promise<Catalog> {
  const columns = catalog.schema.attributes
    .flatMap(({ id, name, relation }) => {
      const { kind, nameParts } = catalog.relations[relation] ?? {};
      const isOne = kind === 'table' && isDocument(catalog.attributes[id]?.nativeType ?? '');
      return isOne && nameParts !== undefined ? [{ id, name, nameParts }] : [];
    })
    .slice(0, MAX_COLUMNS)
    .filter(({ nameParts }) => isReadable(nameParts));
  if (columns.length === 0) return catalog;
  const attributes = { ...catalog.attributes };
  try {
    const call = reading.call({ what: 'Looking into JSON columns', timeoutMs: TIMEOUT_MS, signal });
    await runCall(reading.pool, call, async ({ session, limits }) => {
      for (const { id, name, nameParts } of columns) {
        const table = qualifiedName(nameParts, dialect, 'always');
        const nestedFields = await limits.race(reading.fieldsOf(session, table, quoteIdentifier(name, dialect)));
        const info = attributes[id];
        if (info !== undefined && nestedFields.length > 0) attributes[id] = { ...info, nestedFields };
      }
    });
  } catch (thrown) {
    if (isAskemaError(thrown) && thrown.code === 'ABORTED') throw thrown;
  }
  // They belong to the structure, so the fingerprint is taken anew.
  const { fingerprint: _before, ...rest } = catalog;
  return finishCatalog({ ...rest, attributes });
}
