import { AskemaError, toAskemaError } from '../../errors/askema-error.ts';
import type { CallSite } from './run-call.ts';

/** How a provider comes to its SDK's client. */
interface LazyClientOptions<Client> {
  /** The caller's own; then no key is looked for and nothing is loaded. */
  readonly client: Client | undefined;
  /** Finds the key anew for each call, so that one that is set later is seen. May throw. */
  readonly findKey: () => string;
  readonly load: (key: string) => Promise<Client>;
  /** Sent with every request; their values are kept out of errors. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly site: Omit<CallSite, 'secrets'>;
}

/**
 * Loads a client once, at the first call that has a key, and gives each call its client and its {@link CallSite}. A
 * failure to load is not kept: the next call tries again.
 */
export function lazyClient<Client>(
  options: LazyClientOptions<Client>,
): () => Promise<{ readonly client: Client; readonly site: CallSite }> {
  let loading: Promise<Client> | undefined;
  const load = (key: string): Promise<Client> => {
    loading ??= options.load(key).catch((error: unknown) => {
      loading = undefined;
      throw toAskemaError(error);
    });
    return loading;
  };
  return async () => {
    const key = options.client === undefined ? options.findKey() : '';
    const secrets = [key, ...Object.values(options.headers ?? {})].filter((secret) => secret.length >= 8);
    return { client: options.client ?? (await load(key)), site: { ...options.site, secrets } };
  };
}

/**
 * Loads an optional peer dependency at its first use. Rejects with `DEPENDENCY_MISSING` and the command that installs
 * it when the package is not there; any other failure of the import is passed on.
 */
export async function loadPeer<T>(
  load: () => Promise<T>,
  names: {
    /** The package as npm knows it: `openai`. */
    readonly peer: string;
    /** The range that works: `^7`. */
    readonly range: string;
    /** Who needs it: `@askema/openai`. */
    readonly neededBy: string;
  },
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error, names.peer)) throw error;
    throw new AskemaError(
      'DEPENDENCY_MISSING',
      `${names.neededBy} needs the package \`${names.peer}\`, which is not installed. Install it: npm install "${names.peer}@${names.range}"`,
      { cause: error },
    );
  }
}

function isMissing(error: unknown, peer: string): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  const notFound = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
  // A package that lacks a dependency of its own fails the same way, but names that dependency.
  return notFound && error.message.includes(`'${peer}'`);
}

/** What {@link patientFetch} needs of undici. */
interface Undici {
  readonly Agent: new (options: { readonly headersTimeout: number; readonly bodyTimeout: number }) => object;
  readonly fetch: unknown;
}

/**
 * Options for an SDK's client: a `fetch` without a time limit of its own. Node's `fetch` gives up after five minutes
 * without response headers, whatever the client's timeout is (https://github.com/openai/openai-node#timeouts); this one
 * leaves the deadline to us. `loadUndici` is `() => import('undici')`: undici is a dependency of the provider, not of
 * core.
 */
export async function patientFetch(
  loadUndici: () => Promise<Undici>,
): Promise<{ fetch: typeof globalThis.fetch; fetchOptions: object }> {
  const { Agent, fetch } = await loadUndici();
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  return { fetch: fetch as typeof globalThis.fetch, fetchOptions: { dispatcher } };
}
