import { statSync } from 'node:fs';
import type { AttributeId, Usage } from '@askema/core';
import { attributeRows, readMeta } from './store/attribute-rows.ts';
import type { CatalogIdentity } from './store/check-catalog.ts';
import type { Database } from './store/driver.ts';
import { type EmbeddingsOfIndex, embeddingsOfIndex } from './store/embeddings-of-index.ts';

/** What an index holds of one attribute. */
export interface AttributeStats {
  readonly attribute: AttributeId;
  /** `pending`: not read yet, for want of budget or because the build was stopped. */
  readonly state: 'ready' | 'pending' | 'failed';
  /** `part`: there may be cells that the index does not hold; `reason` says why. */
  readonly coverage: 'whole' | 'part' | 'none';
  /** Distinct cells. */
  readonly values: number;
  /**
   * Its type or relation is another one in the catalog of now, or it is gone: its cells are not used until the next
   * build.
   */
  readonly stale: boolean;
  readonly reason?: string | undefined;
}

/** What an index holds. Plain JSON without any cell. */
export interface ValueIndexStats {
  readonly path: string;
  /** Of the database at the last build. */
  readonly catalogName: string;
  readonly fingerprint: string;
  readonly attributes: readonly AttributeStats[];
  /** Distinct cells of all attributes that are ready and not stale. */
  readonly values: number;
  readonly staleAttributes: number;
  readonly bytesOnDisk: number;
  /** Which model made the vectors, and how many there are; undefined without embeddings. */
  readonly embeddings?: (EmbeddingsOfIndex & { readonly vectors: number }) | undefined;
  /** Of the build that returned these figures; undefined when an index was only opened. */
  readonly build?: BuildStats | undefined;
}

export interface BuildStats {
  /** Attributes that were read, and those that had not changed. */
  readonly read: number;
  readonly unchanged: number;
  readonly elapsedMs: number;
  /** Cells that were given a vector; undefined without an embedding model. */
  readonly embedded?: number | undefined;
  /** Tokens of the embedding model; undefined without one. */
  readonly usage?: Usage | undefined;
}

export function indexStats(
  database: Database,
  path: string,
  entries: CatalogIdentity['entries'] | undefined,
): ValueIndexStats {
  const attributes = new Map<AttributeId, AttributeStats>();
  let vectors = 0;
  for (const row of attributeRows(database)) {
    const { attribute, state, reason } = row;
    const ready = state === 'ready';
    // Of an attribute that is being read again, what it held before is still what counts.
    if (!ready && attributes.get(attribute)?.state === 'ready') continue;
    vectors += row.embedded;
    attributes.set(attribute, {
      attribute,
      state: state === 'reading' ? 'pending' : state,
      coverage: ready ? row.coverage : 'none',
      values: ready ? row.count : 0,
      stale: entries !== undefined && entries.get(attribute) !== row.entry,
      ...(reason === null ? {} : { reason }),
    });
  }
  const all = [...attributes.values()];
  const embeddings = embeddingsOfIndex(database);
  return {
    path,
    catalogName: readMeta(database, 'catalogName') ?? '',
    fingerprint: readMeta(database, 'fingerprint') ?? '',
    attributes: all,
    values: all.reduce((sum, { values, stale }) => sum + (stale ? 0 : values), 0),
    staleAttributes: all.filter(({ stale }) => stale).length,
    bytesOnDisk: ['', '-wal'].reduce(
      (sum, ending) => sum + (statSync(path + ending, { throwIfNoEntry: false })?.size ?? 0),
      0,
    ),
    ...(embeddings === undefined ? {} : { embeddings: { ...embeddings, vectors } }),
  };
}
