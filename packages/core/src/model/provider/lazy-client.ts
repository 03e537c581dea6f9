import { toAskemaError } from '../../errors/askema-error.ts';
import type { CallSite } from './run-call.ts';

/** How a provider comes to its SDK's client. */
export interface LazyClientOptions<Client> {
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
 * Loads a client once, at the first call that has a key, and gives each call its client and its {@link CallSite}. A failure to load is
 * not kept: the next call tries again.
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

/** A time limit for an SDK's own timer: later than ours, which must come first, and no longer than a timer can wait. */
export function sdkTimeoutMs(timeoutMs: number): number {
  return Math.ceil(Math.min(timeoutMs + 60_000, 2_147_483_647));
}
