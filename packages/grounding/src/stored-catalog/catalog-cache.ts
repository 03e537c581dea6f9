import { createHash } from 'node:crypto';
import { type Adapter, type CallContext, type Catalog, checkText, checkWhole, throwIfAborted } from '@askema/core';
import {
  CATALOG_FILE_VERSION,
  catalogFileText,
  type DrawnValues,
  MAX_FILE_BYTES,
  parseCatalogFile,
  type StoredCatalog,
} from './catalog-file.ts';
import { readPrivateFile, removeOld, writePrivateFile } from './private-file.ts';

export interface CatalogCacheOptions {
  /**
   * Where the files are, one for each database and identity. It is made, for this user alone, where it is missing; nothing
   * is read or written in one that others may write to.
   */
  readonly folder: string;
  /** A catalog that was read longer ago is read anew. Default: 24 hours. */
  readonly maxAgeMs?: number | undefined;
  /** For whom: what was kept for one is not for another. For adapters that were narrowed in a way of your own. */
  readonly tenant?: string | undefined;
}

export interface FindOptions {
  /** Globs over qualified names, as of `introspect`. */
  readonly include?: readonly string[] | undefined;
  /** Nothing is taken from the disk: what is read anew takes its place. */
  readonly refresh?: boolean | undefined;
  readonly context: CallContext;
}

/** What was found, and where what is read instead goes. */
export interface FoundCatalog {
  /** One that still holds. */
  readonly catalog?: Catalog | undefined;
  /** What was drawn for it and still holds. */
  readonly drawn?: DrawnValues | undefined;
  /** Keeps a catalog that was read after this was found, with all that was drawn for it. Written a little later. */
  keep(catalog: Catalog, drawn: DrawnValues): void;
}

/** Catalogs of one adapter on disk. It never rejects but for an abort: without a file, the database is read. */
export interface CatalogCache {
  /** The same answer until one is wanted with `refresh`. */
  find(options: FindOptions): Promise<FoundCatalog>;
  /** Writes what is left to write. */
  close(): Promise<void>;
}

const DAY_MS = 86_400_000;

/** What could not be read may be there at the next look: a permission, a lock, a deadline. */
const INCOMPLETE_AGE_MS = 600_000;

/** The questions are cheap; where they are not, the database is read. */
const STAMP_TIMEOUT_MS = 5_000;

/** Samples often follow at once. */
const WRITE_DELAY_MS = 1_000;

const ENDING = '.catalog';

/**
 * Keeps catalogs, samples and inferred keys of an adapter in files of mode 0600. A file is used while the stamps of the
 * adapter say that it still holds: the samples while no value has changed, the rest while the structure is the same. An
 * adapter without stamps is not kept, and so is one of `restrict`: nothing that is hidden or masked gets to the disk.
 *
 * @throws AskemaError `CONFIG_INVALID` for options that cannot work.
 */
export function createCatalogCache(adapter: Adapter, options: CatalogCacheOptions): CatalogCache {
  const folder = checkText('catalogCache.folder', options.folder) ?? '';
  const maxAgeMs = checkWhole('catalogCache.maxAgeMs', options.maxAgeMs ?? DAY_MS, 0);
  let found: Promise<FoundCatalog> | undefined;
  let waiting: { readonly write: () => Promise<void>; readonly timer: NodeJS.Timeout } | undefined;
  let writing: Promise<void> = Promise.resolve();

  const flush = (): Promise<void> => {
    const next = waiting;
    waiting = undefined;
    clearTimeout(next?.timer);
    if (next !== undefined) writing = writing.then(next.write).catch(() => undefined);
    return writing;
  };
  const keepFor = (key: string, stamps: Stamps): FoundCatalog['keep'] => {
    const { readAt, structure, data } = stamps;
    return (catalog, drawn) => {
      const write = async (): Promise<void> => {
        const kept = { readAt, structure, data, catalog, drawn: data === undefined ? {} : drawn };
        const text = catalogFileText(key, kept);
        if (text !== undefined) await writePrivateFile(folder, fileNameOf(key), text);
        await removeOld(folder, ENDING, Date.now() - maxAgeMs);
      };
      clearTimeout(waiting?.timer);
      // It keeps no process alive; `close` does not wait for it.
      waiting = { write, timer: setTimeout(() => void flush(), WRITE_DELAY_MS).unref() };
    };
  };
  const look = async ({ include, refresh, context }: FindOptions): Promise<FoundCatalog> => {
    const { stamps, dialect, name, access } = adapter;
    if (stamps === undefined || maxAgeMs === 0) return NOTHING;
    const asking = { timeoutMs: STAMP_TIMEOUT_MS, context };
    const identity = await stamps.identity(asking);
    const key = JSON.stringify([
      [CATALOG_FILE_VERSION, dialect.name, name, access, identity],
      [include ?? null, options.tenant ?? null],
    ]);
    const content = refresh === true ? undefined : await readPrivateFile(folder, fileNameOf(key), MAX_FILE_BYTES);
    const stored = content && parseCatalogFile(key, content);
    const isFresh = stored !== undefined && isYoung(stored, maxAgeMs);
    // In this order: what is read behind a stamp may be newer than it, never older.
    const data = await stamps.data?.(asking);
    if (isFresh && data !== undefined && stored.data === data)
      return { catalog: stored.catalog, drawn: stored.drawn, keep: keepFor(key, stored) };
    const structure = await stamps.structure(asking);
    if (structure === undefined) return NOTHING;
    if (isFresh && stored.structure === structure && !showsValues(stored.catalog))
      return {
        catalog: withoutExactCounts(stored.catalog),
        // Without a stamp of the data there is nothing to add.
        keep: data === undefined ? NOTHING.keep : keepFor(key, { readAt: stored.readAt, structure, data }),
      };
    return { keep: keepFor(key, { readAt: Date.now(), structure, data }) };
  };
  return {
    find(finding) {
      if (found !== undefined && finding.refresh !== true) return found;
      found = look(finding).catch(() => {
        throwIfAborted(finding.context.signal, 'Looking for a catalog on disk');
        // Reading the database says what is wrong.
        return NOTHING;
      });
      // Who asked may not wait for it.
      found.catch(() => undefined);
      return found;
    },
    close: flush,
  };
}

type Stamps = Pick<StoredCatalog, 'readAt' | 'structure' | 'data'>;

const NOTHING: FoundCatalog = { keep: () => undefined };

/** Says nothing of what is in it. */
function fileNameOf(key: string): string {
  return `${createHash('sha256').update(key).digest('hex').slice(0, 40)}${ENDING}`;
}

function isYoung({ readAt, catalog }: StoredCatalog, maxAgeMs: number): boolean {
  const isWhole = catalog.incomplete.every(
    ({ affects, foreignKey }) => affects === 'counts' || foreignKey !== undefined,
  );
  const age = Date.now() - readAt;
  return age >= 0 && age < (isWhole ? maxAgeMs : Math.min(maxAgeMs, INCOMPLETE_AGE_MS));
}

/** Fields of documents are found in the documents. */
function showsValues({ attributes }: Catalog): boolean {
  return Object.values(attributes).some(({ nestedFields }) => nestedFields !== undefined);
}

/** Rows have come and gone since they were counted: what was empty may not be any more. */
function withoutExactCounts(catalog: Catalog): Catalog {
  const entries = Object.entries(catalog.relations).map(([id, { rowCountExact: _, rowCount, byteCount, ...info }]) => {
    const counts = rowCount === undefined || rowCount === 0 ? {} : { rowCount, byteCount };
    return [id, { ...info, ...counts }] as const;
  });
  return { ...catalog, relations: Object.fromEntries(entries) };
}
