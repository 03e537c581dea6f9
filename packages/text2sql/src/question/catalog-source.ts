import {
  type Adapter,
  AskemaError,
  type AttributeId,
  abortedError,
  type CallContext,
  type Catalog,
  createCallContext,
  type SampleOptions,
  throwIfAborted,
  type Value,
} from '@askema/core';
import { inferKeys, missingValues, withInferredKeys } from '@askema/grounding';

/** Values of one attribute. */
interface Sample {
  /** Distinct ones; then NULL and what else stands where there is no value. */
  readonly values: readonly Value[];
  /** True where there are more than were asked for. */
  readonly isCut: boolean;
  /** True where these are all. */
  readonly isWhole: boolean;
  /** Of numbers and dates, where all rows were read. */
  readonly range?: readonly [Value, Value] | undefined;
}

/** Sample values by attribute. */
export type Samples = Readonly<Record<AttributeId, Sample>>;

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
  /** Makes the next `read` ask the database: its structure may have changed. */
  forget(): void;
}

export interface CatalogSourceOptions {
  /** Globs over qualified names. */
  readonly include?: readonly string[] | undefined;
  /** Whether foreign keys that nobody declared are looked for. Default: true. */
  readonly inferKeys?: boolean | undefined;
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
  const sampler = createSampler(adapter, options.signal);

  const load = (): Promise<Catalog> => {
    // Not under the signal of one question: others may wait for it as well.
    const context = createCallContext({ path: 'catalog', signal: options.signal });
    const loading = adapter
      .introspect({ include: options.include, context })
      .then((catalog) => (options.inferKeys === false ? catalog : withKeys(adapter, catalog, context)));
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
    async read(context, { refresh } = {}) {
      if (ready !== undefined && refresh !== true) return ready;
      const loading = refresh === true || current === undefined ? load() : current;
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
    async samples(catalog, attributes, { context, ...limits }) {
      const drawn = sampler.draw(catalog, attributes, limits);
      return drawn instanceof Promise ? unlessAborted(drawn, context.signal) : drawn;
    },
    forget() {
      current = undefined;
      ready = undefined;
      sampler.forget();
    },
  };
  return source;
}

async function withKeys(adapter: Adapter, catalog: Catalog, context: CallContext): Promise<Catalog> {
  if (catalog.schema.relations.length > MAX_RELATIONS_FOR_KEYS) return catalog;
  return withInferredKeys(catalog, await inferKeys(adapter, catalog, { ...KEYS_LIMITS, context }));
}

interface Sampler {
  /** At once what is there. */
  draw(
    catalog: Catalog,
    attributes: readonly AttributeId[],
    limits: { readonly limit: number; readonly timeoutMs: number },
  ): Samples | Promise<Samples>;
  forget(): void;
}

function createSampler(adapter: Adapter, signal: AbortSignal | undefined): Sampler {
  // For one structure and one limit at a time.
  let scope = '';
  const drawn = new Map<AttributeId, Promise<Sample | undefined>>();
  let latest: { readonly attributes: readonly AttributeId[]; samples: Samples | Promise<Samples> } | undefined;
  const forgetAll = (): void => {
    drawn.clear();
    latest = undefined;
  };
  const collect = async (attributes: readonly AttributeId[]): Promise<Samples> => {
    const values = await Promise.all(attributes.map(async (id) => [id, await drawn.get(id)] as const));
    return Object.fromEntries(values.flatMap(([id, found]) => (found === undefined ? [] : [[id, found]])));
  };
  return {
    draw(catalog, attributes, { limit, timeoutMs }) {
      const asked = `${limit} ${catalog.fingerprint}`;
      if (scope !== asked) forgetAll();
      scope = asked;
      if (latest !== undefined && areSame(latest.attributes, attributes)) return latest.samples;
      const missing = attributes.filter((id) => !drawn.has(id));
      if (missing.length > 0) {
        const started = performance.now();
        const context = createCallContext({ path: 'samples', signal });
        const drawing = drawSamples(adapter, missing, { catalog, limit, timeoutMs, context });
        for (const id of missing)
          drawn.set(
            id,
            drawing.then((samples) => ownValue(samples, id)),
          );
        const forget = (isLost: (id: AttributeId) => boolean): void => {
          for (const id of missing.filter(isLost)) drawn.delete(id);
          latest = undefined;
        };
        // When the time ran out, the next question tries those again that are missing.
        drawing.then(
          (samples) => {
            if (performance.now() - started >= timeoutMs) forget((id) => ownValue(samples, id) === undefined);
          },
          () => forget(() => true),
        );
      }
      const collected: NonNullable<typeof latest> = { attributes, samples: collect(attributes) };
      latest = collected;
      Promise.resolve(collected.samples).then(
        (samples) => {
          collected.samples = samples;
        },
        () => undefined,
      );
      return collected.samples;
    },
    forget: forgetAll,
  };
}

async function drawSamples(adapter: Adapter, ids: readonly AttributeId[], options: SampleOptions): Promise<Samples> {
  const [drawn, missing] = await Promise.all([
    adapter.sampleValues(ids, options),
    missingValues(adapter, ids, options),
  ]);
  const samples = Object.entries(drawn).map(([id, found]): readonly [string, Sample] => {
    const gaps = Object.hasOwn(missing, id) ? missing[id] : undefined;
    // A placeholder, as `N/A`, is a value: it is shown among the first.
    const values = [...new Set([...(gaps?.values ?? []).filter((value) => value !== null && value !== ''), ...found])];
    const empty = (gaps?.values ?? []).filter((value) => !values.includes(value));
    const isCut = found.length >= options.limit;
    const { isWhole = false, range } = gaps ?? {};
    return [id, { values: [...values, ...empty], isCut, isWhole: isWhole && !isCut, range }];
  });
  return Object.fromEntries(samples);
}

function areSame(some: readonly AttributeId[], others: readonly AttributeId[]): boolean {
  return some === others || (some.length === others.length && some.every((id, at) => id === others[at]));
}

function ownValue(samples: Samples, id: AttributeId): Sample | undefined {
  return Object.hasOwn(samples, id) ? samples[id] : undefined;
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
