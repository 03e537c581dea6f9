import type { Catalog } from '../catalog/catalog.ts';
import { type CallContext, createCallContext } from '../context/call-context.ts';
import { AskemaError, throwIfAborted } from '../errors/askema-error.ts';
import { throwOnContractMismatch } from '../errors/check-contract.ts';
import {
  type Adapter,
  type AdapterSpec,
  type IntrospectOptions,
  type Planner,
  QUERY_DEFAULTS,
  type QueryExecutor,
  type QueryOptions,
  type QueryResult,
  type ScopeOptions,
} from './adapter-spec.ts';
import type { CatalogStamps, StampOptions } from './catalog-stamps.ts';
import { throwIfNotWritable, throwIfTooLong } from './check-access.ts';
import { createSampler } from './create-sampler.ts';
import type { Diagnose } from './diagnosis.ts';
import { type QueryHost, runQuery, streamQuery, throwIfClosed } from './run-query.ts';

/**
 * Makes an adapter of what its author wrote: checks the contract and fills in the parts that are left out. A resolved
 * adapter is returned as it is.
 *
 * Defaults: `planner` answers `unknown`; `sampleValues` asks the executor; `scope` with tags alone puts them into every
 * call's context, other scopes say `CAPABILITY_UNSUPPORTED`; `diagnose` sends one query. `explorer`, `cteParser` and
 * `compressor` have their defaults in @askema/grounding (`servicesOf`).
 *
 * @throws AskemaError `CONTRACT_MISMATCH` for another version of the contract, `CONFIG_INVALID` when a required part is
 * missing.
 */
export function resolveAdapter(adapter: AdapterSpec | Adapter): Adapter {
  if (isAdapter(adapter)) return adapter;
  checkSpec(adapter);
  return createAdapter(adapter);
}

/** An adapter that is resolved carries no contract version any more; its `query` is what a spec never has to write. */
function isAdapter(adapter: AdapterSpec | Adapter): adapter is Adapter {
  return typeof adapter === 'object' && adapter !== null && !('contract' in adapter) && 'query' in adapter;
}

function checkSpec(spec: AdapterSpec): void {
  if (typeof spec !== 'object' || spec === null)
    throw new AskemaError('CONFIG_INVALID', `An adapter was expected, but ${String(spec)} was given.`);
  const subject = `The adapter ${JSON.stringify(spec.name ?? 'without a name')}`;
  throwOnContractMismatch(spec.contract, subject);
  const present: Readonly<Record<string, boolean>> = {
    name: typeof spec.name === 'string',
    dialect: typeof spec.dialect?.name === 'string',
    access: spec.access === 'read' || spec.access === 'write',
    'executor.execute': typeof spec.executor?.execute === 'function',
    'introspector.introspect': typeof spec.introspector?.introspect === 'function',
    close: typeof spec.close === 'function',
  };
  const missing = Object.keys(present).filter((part) => !present[part]);
  if (missing.length > 0)
    throw new AskemaError(
      'CONFIG_INVALID',
      `${subject} lacks ${missing.map((part) => `\`${part}\``).join(', ')}; see AdapterSpec in @askema/core.`,
    );
}

function createAdapter(spec: AdapterSpec, parent?: AbortSignal): Adapter {
  const closing = new AbortController();
  const closed = parent === undefined ? closing.signal : AbortSignal.any([closing.signal, parent]);
  const host: QueryHost = { spec, closed };
  const { dialect } = spec;
  let closePromise: Promise<void> | undefined;
  const query: Adapter['query'] = (sql, options) => runQuery(host, sql, options);
  const sample = spec.sampleValues ?? createSampler(dialect, query);
  const close = (): Promise<void> => {
    closePromise ??= closeSpec(spec, closing);
    return closePromise;
  };
  return {
    dialect,
    name: spec.name,
    access: spec.access,
    executor: guardExecutor(host),
    introspector: { introspect: (options) => introspect(host, options) },
    planner: spec.planner ?? NO_PLANNER,
    explorer: spec.explorer?.(query),
    cteParser: spec.cteParser,
    compressor: spec.compressor,
    stamps: spec.stamps && guardStamps(host, spec.stamps),
    sampleValues: async (attributes, options) => {
      throwIfClosed(host);
      return sample(attributes, options);
    },
    query,
    stream: (sql, options) => streamQuery(host, sql, options),
    introspect: (options = {}) => introspect(host, options),
    scope: (options) => createAdapter(scopedSpec(spec, options), closed),
    diagnose: async (options = {}) => {
      throwIfClosed(host);
      const { timeoutMs = QUERY_DEFAULTS.timeoutMs, context = createCallContext() } = options;
      throwIfAborted(context.signal, 'The diagnosis');
      return (spec.diagnose ?? createDiagnose(spec, query))({ timeoutMs, context });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** New work is refused at once; what runs gets the adapter's own way of stopping it first. */
async function closeSpec(spec: AdapterSpec, closing: AbortController): Promise<void> {
  try {
    const done = spec.close();
    closing.abort();
    await done;
  } finally {
    closing.abort();
  }
}

function guardExecutor(host: QueryHost): QueryExecutor {
  return {
    execute(sql, options) {
      throwIfClosed(host);
      throwIfNotWritable(host.spec, options.access);
      throwIfTooLong(sql, options.access);
      return host.spec.executor.execute(sql, options);
    },
  };
}

function guardStamps(host: QueryHost, stamps: CatalogStamps): CatalogStamps {
  const guarded =
    <T>(ask: (options: StampOptions) => Promise<T>) =>
    async (options: StampOptions): Promise<T> => {
      throwIfClosed(host);
      throwIfAborted(options.context.signal, 'Looking whether the database has changed');
      return ask(options);
    };
  return {
    identity: guarded((options) => stamps.identity(options)),
    structure: guarded((options) => stamps.structure(options)),
    data: guarded(async (options) => stamps.data?.(options)),
  };
}

async function introspect(
  host: QueryHost,
  options: Omit<IntrospectOptions, 'context'> & { readonly context?: CallContext | undefined },
): Promise<Catalog> {
  const context = options.context ?? createCallContext();
  throwIfClosed(host);
  throwIfAborted(context.signal, 'Reading the catalog');
  const catalog = await host.spec.introspector.introspect({ ...options, context });
  if (catalog.schemaVersion === 1 && typeof catalog.fingerprint === 'string' && catalog.fingerprint !== '')
    return catalog;
  throw new AskemaError(
    'CONTRACT_MISMATCH',
    `The introspector of the adapter ${JSON.stringify(host.spec.name)} returned a catalog without \`schemaVersion: 1\` or without a fingerprint; it must end with \`finishCatalog\`.`,
  );
}

function scopedSpec(spec: AdapterSpec, options: ScopeOptions): AdapterSpec {
  if (spec.scope !== undefined) {
    const scoped = spec.scope(options);
    checkSpec(scoped);
    return options.tags === undefined ? scoped : withTags(scoped, options.tags, scoped.close);
  }
  if (options.role !== undefined || options.namespace !== undefined)
    throw unsupported(spec, 'narrow itself to a role or a namespace', 'open it with the credentials of that role');
  return withTags(spec, options.tags ?? {});
}

/** Of an adapter without a planner. */
const NO_PLANNER: Planner = { check: async () => ({ verdict: 'unknown' }) };

function unsupported(spec: AdapterSpec, what: string, remedy: string): AskemaError {
  return new AskemaError(
    'CAPABILITY_UNSUPPORTED',
    `The adapter ${JSON.stringify(spec.name)} cannot ${what}; ${remedy}.`,
  );
}

type RunQuery = (sql: string, options: QueryOptions) => Promise<QueryResult>;

/**
 * The default of `diagnose`: one query shows that the database answers; what keeps statements from writing is what the
 * adapter says.
 */
function createDiagnose(spec: Pick<AdapterSpec, 'dialect' | 'access'>, query: RunQuery): Diagnose {
  return async ({ timeoutMs, context }) => {
    await query('SELECT 1', { timeoutMs, context });
    const reads = spec.access === 'read';
    return {
      server: spec.dialect.displayName,
      readOnly: reads
        ? { by: 'text', explanation: 'The adapter was opened for reading; it does not say what the engine enforces.' }
        : { by: 'nothing', explanation: 'The adapter was opened for writing.' },
      findings: [],
    };
  };
}

/**
 * A view on an adapter that adds tags to the context of every call. The view's tags win over those of the
 * call, so that no call can pass for another tenant. By default, closing the view leaves the adapter below open.
 */
function withTags(
  spec: AdapterSpec,
  tags: Readonly<Record<string, string>>,
  close: AdapterSpec['close'] = async () => undefined,
): AdapterSpec {
  const tagged = <T extends { readonly context: CallContext }>(options: T): T => ({
    ...options,
    context: { ...options.context, tags: { ...options.context.tags, ...tags } },
  });
  const { executor, introspector, planner, sampleValues, stamps, diagnose, scope } = spec;
  return {
    ...spec,
    executor: { execute: (sql, options) => executor.execute(sql, tagged(options)) },
    introspector: { introspect: (options) => introspector.introspect(tagged(options)) },
    planner: planner && { check: (sql, options) => planner.check(sql, tagged(options)) },
    sampleValues: sampleValues && ((attributes, options) => sampleValues(attributes, tagged(options))),
    // Nothing that was kept for one tenant is for another.
    stamps: stamps && {
      identity: async (options) =>
        JSON.stringify([await stamps.identity(tagged(options)), Object.entries(tags).sort()]),
      structure: (options) => stamps.structure(tagged(options)),
      data: async (options) => stamps.data?.(tagged(options)),
    },
    diagnose: diagnose && ((options) => diagnose(tagged(options))),
    scope: scope && ((options) => scopedSpec({ ...spec, scope }, { ...options, tags: { ...options.tags, ...tags } })),
    close,
  };
}
