import {
  type Adapter,
  AskemaError,
  type AttributeId,
  abortedError,
  type CallContext,
  type Catalog,
  throwIfAborted,
} from '@askema/core';
import {
  type CatalogCache,
  createKeptCells,
  type DrawnValues,
  type InferredKey,
  inferKeys,
  type KeptCells,
  withInferredKeys,
} from '@askema/grounding';
import { createSampler, type Samples } from './sampler.ts';
import { sharedContext } from './shared-context.ts';

export type { Samples } from './sampler.ts';

/**
 * Keeps the catalog of one adapter, so that the state of a run can hold it by fingerprint. Reading is shared: questions
 * asked at the same time wait for one introspection.
 */
export interface CatalogSource {
  /** The catalog, read once; `refresh` reads it again. */
  read(context: CallContext, options?: { readonly refresh?: boolean | undefined }): Promise<Catalog>;
  /**
   * The catalog of this fingerprint: the known one, or, in a process that resumes a run, the one that is there now.
   *
   * Rejects with `FLOW_CHANGED` when the database has another structure by now.
   */
  withFingerprint(fingerprint: string, context: CallContext): Promise<Catalog>;
  /**
   * Up to `limit` distinct values of each attribute, drawn once per attribute. What could not be sampled is absent. The
   * same object again while it is about the same attributes and nothing was drawn anew.
   */
  samples(
    catalog: Catalog,
    attributes: readonly AttributeId[],
    options: { readonly limit: number; readonly timeoutMs: number; readonly context: CallContext },
  ): Promise<Samples>;
  /** Where the search for words of questions keeps cells, in an adapter that tells when data change. */
  readonly cells: KeptCells | undefined;
  /** Makes the next `read` ask the database: its structure may have changed. */
  forget(): void;
  /**
   * Whether the catalog of this fingerprint was out of date: one that came from the disk is read anew, once, and `read`
   * gives what is there now.
   */
  isOutdated(fingerprint: string | null, context: CallContext): Promise<boolean>;
  /** Writes what is left to write. */
  close(): Promise<void>;
}

export interface CatalogSourceOptions {
  /** Globs over qualified names. */
  readonly include?: readonly string[] | undefined;
  /** Whether foreign keys that nobody declared are looked for. Default: true. */
  readonly inferKeys?: boolean | undefined;
  /** Where catalogs are kept on disk. */
  readonly cache?: CatalogCache | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Finding keys is an aid: it takes so long at most, and sends so many statements. */
const KEYS_LIMITS = { timeoutMs: 3_000, maxStatements: 100 } as const;

/** Of more relations each could be looked for only in part. */
const MAX_RELATIONS_FOR_KEYS = 1_000;

/** A source over one adapter. */
export function createCatalogSource(adapter: Adapter, options: CatalogSourceOptions = {}): CatalogSource {
  let current: Promise<Catalog> | undefined;
  /** What `current` has given: nobody waits for it any more. */
  let ready: Catalog | undefined;
  // The newest ones: questions that began before a refresh still need theirs.
  let known: readonly Catalog[] = [];
  /** The next look is at the database, whatever is on the disk. */
  let mustAsk = false;
  /** The catalog came from the disk. */
  let isStored = false;
  let keepSamples: ((samples: DrawnValues['samples']) => void) | undefined;
  const sampler = createSampler(adapter, {
    signal: options.signal,
    onDrawn: (catalog, samples) => {
      if (catalog === ready) keepSamples?.(samples);
    },
  });

  const loadWith = async (refresh: boolean, context: CallContext): Promise<Catalog> => {
    const { include, cache } = options;
    const found = await cache?.find({ include, refresh, context });
    const read = found?.catalog ?? (await adapter.introspect({ include, context }));
    const keys =
      options.inferKeys === false ? undefined : (found?.drawn?.keys ?? (await keysOf(adapter, read, context)));
    const catalog = keys === undefined ? read : withInferredKeys(read, keys);
    const samples = found?.drawn?.samples;
    if (found?.drawn?.keys !== keys || found?.catalog === undefined) found?.keep(read, { keys, samples });
    if (samples !== undefined) sampler.adopt(catalog, samples);
    keepSamples = found && ((drawn) => found.keep(read, { keys, samples: drawn }));
    isStored = found?.catalog !== undefined;
    return catalog;
  };
  const load = (asker: CallContext): Promise<Catalog> => {
    const loading = loadWith(mustAsk, sharedContext(asker, 'catalog', options.signal));
    mustAsk = true;
    current = loading;
    ready = undefined;
    loading.then(
      (catalog) => {
        if (current === loading) ready = catalog;
        known = [catalog, ...known.filter(({ fingerprint }) => fingerprint !== catalog.fingerprint)].slice(0, 2);
      },
      () => {
        if (current === loading) current = undefined;
      },
    );
    return loading;
  };

  const source: CatalogSource = {
    cells: createKeptCells(adapter, options.signal),
    async read(context, { refresh } = {}) {
      if (ready !== undefined && refresh !== true) return ready;
      if (refresh === true) mustAsk = true;
      const loading = refresh === true || current === undefined ? load(context) : current;
      return unlessAborted(loading, context.signal);
    },
    async withFingerprint(fingerprint, context) {
      const before = known.find((catalog) => catalog.fingerprint === fingerprint);
      if (before !== undefined) return before;
      const catalog = await source.read(context);
      if (catalog.fingerprint === fingerprint) return catalog;
      throw new AskemaError(
        'FLOW_CHANGED',
        `The structure of ${adapter.name} has changed since this run began. Ask the question anew.`,
      );
    },
    async samples(catalog, attributes, draw) {
      const drawn = sampler.draw(catalog, attributes, draw);
      return drawn instanceof Promise ? unlessAborted(drawn, draw.context.signal) : drawn;
    },
    forget() {
      current = undefined;
      ready = undefined;
      mustAsk = true;
      sampler.forget();
    },
    async isOutdated(fingerprint, context) {
      if (!isStored) return false;
      isStored = false;
      sampler.forget();
      return (await source.read(context, { refresh: true })).fingerprint !== fingerprint;
    },
    close: async () => options.cache?.close(),
  };
  return source;
}

async function keysOf(
  adapter: Adapter,
  catalog: Catalog,
  context: CallContext,
): Promise<readonly InferredKey[] | undefined> {
  if (catalog.schema.relations.length > MAX_RELATIONS_FOR_KEYS) return undefined;
  return inferKeys(adapter, catalog, { ...KEYS_LIMITS, context });
}

/** What `work` gives, or `ABORTED` as soon as the signal fires; `work` goes on for the others who wait for it. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  throwIfAborted(signal, 'Reading the catalog');
  if (signal === undefined) return work;
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(abortedError('Reading the catalog', signal.reason));
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop);
  }
}
