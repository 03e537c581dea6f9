import type { HttpFailure } from '../errors/driver-error.ts';
import { isInProgress, takeLogin, takeResult, type WireLogin, type WireResult } from './wire.ts';

/** A request as the driver hands it to its HTTP client. */
interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly json?: Record<string, unknown> | undefined;
  readonly callback?: ((error: unknown, response: HttpResponse | null, body: unknown) => unknown) | undefined;
  readonly [option: string]: unknown;
}

interface HttpResponse {
  readonly statusCode: number;
  readonly body?: unknown;
}

interface HttpHandle {
  abort(): void;
}

/** The driver's HTTP client for Node. */
export type BaseHttpClass = new (config: DriverConfig) => { request(options: HttpRequest): HttpHandle };

interface DriverConfig {
  destroyAgentCache?(): void;
}

export interface HttpSettings {
  readonly retryDelayMs: number;
}

/** A value for a `?`, as the protocol wants it. */
export interface Binding {
  readonly type: string;
  readonly value: string | null;
}

/** The requests of one session: what they brought, and a way to stop them all. */
export interface SessionHttp {
  /** Sent with the next statement, instead of what the driver would make of its values. */
  bindings: Readonly<Record<string, Binding>> | undefined;
  /** The result of the last statement, once it is there. */
  readonly result: WireResult | undefined;
  readonly login: WireLogin | undefined;
  /** Undefined after a request that was answered. */
  readonly failure: HttpFailure | undefined;
  /** Forgets result and failure, before a statement. */
  reset(): void;
  /** Nothing is sent again from now on, except what cancels and logs out; what waits for that is given up. */
  stopRetries(): void;
  /** Ends every request and closes the sockets. */
  stop(): void;
}

/** A request is sent so often again, unless its caller's deadline comes first. */
const MAX_RETRIES = 5;

/** The longest wait between two. */
const MAX_RETRY_DELAY_MS = 8_000;

/** The server holds a request for some 45 seconds before it says that a statement still runs; one that does not is asked more slowly. */
const POLL_STEP_MS = 20;
const MAX_POLL_MS = 1_000;

/** Trying again cannot help: names that do not resolve, certificates. */
const FINAL_NETWORK_CODES =
  /^(ERR_CANCELED|ENOTFOUND|ERR_INVALID_URL|CERT_|DEPTH_ZERO|UNABLE_TO_|SELF_SIGNED|ERR_TLS|ERR_OCSP|ERR_CRL|EPROTO)/;

/**
 * A class of HTTP clients over the driver's. The driver retries by timers that nobody can stop and reports what goes wrong only after the last
 * try; here each request can be ended, its retries are counted and end with the session, and the answers are seen as the server sent them.
 */
export function createSessionHttp(
  Base: BaseHttpClass,
  settings: HttpSettings,
  created: (http: SessionHttp) => void,
): BaseHttpClass {
  return class extends Base implements SessionHttp {
    bindings: SessionHttp['bindings'];
    result: WireResult | undefined;
    login: WireLogin | undefined;
    failure: HttpFailure | undefined;
    readonly #config: DriverConfig;
    readonly #running = new Set<HttpHandle>();
    readonly #timers = new Set<NodeJS.Timeout>();
    #mayRetry = true;
    #stopped = false;
    #polls = 0;

    constructor(config: DriverConfig) {
      super(config);
      this.#config = config;
      created(this);
    }

    reset(): void {
      this.result = undefined;
      this.failure = undefined;
      this.#polls = 0;
    }

    stopRetries(): void {
      this.#mayRetry = false;
      for (const timer of this.#timers) clearTimeout(timer);
      this.#timers.clear();
    }

    stop(): void {
      this.#stopped = true;
      this.stopRetries();
      for (const handle of this.#running) handle.abort();
      this.#running.clear();
      this.#config.destroyAgentCache?.();
    }

    override request(options: HttpRequest): HttpHandle {
      const path = pathOf(options.url);
      if (path === '/telemetry/send') {
        queueMicrotask(() => options.callback?.(null, { statusCode: 200 }, { success: true, data: null }));
        return { abort: () => undefined };
      }
      if (path === '/queries/v1/query-request' && options.json !== undefined && this.bindings !== undefined) {
        options.json.bindings = this.bindings;
        this.bindings = undefined;
      }
      const isPoll = this.#polls > 0 && path.endsWith('/result');
      this.#later(isPoll ? Math.min(MAX_POLL_MS, POLL_STEP_MS * this.#polls) : 0, () =>
        this.#send(options, path, options.url, 1, Date.now()),
      );
      return { abort: () => undefined };
    }

    #send(options: HttpRequest, path: string, url: string, attempt: number, started: number): void {
      if (this.#stopped) return;
      const handle = super.request({
        ...options,
        url,
        useSnowflakeRetryMiddleware: false,
        callback: (error: unknown, response: HttpResponse | null, body: unknown) => {
          this.#running.delete(handle);
          if (this.#stopped) return;
          const failure = failureOf(error, response, attempt);
          this.failure = failure;
          const mayRetry = this.#mayRetry || path.endsWith('/abort-request');
          if (failure !== undefined && mayRetry && attempt <= MAX_RETRIES && isRetryable(failure)) {
            const delay = Math.min(MAX_RETRY_DELAY_MS, settings.retryDelayMs * 2 ** (attempt - 1));
            const again = withRetry(options.url, path, attempt, started, failure);
            this.#later(delay * (0.75 + Math.random() / 2), () =>
              this.#send(options, path, again, attempt + 1, started),
            );
            return;
          }
          this.#take(path, body);
          void answer(options, error, response, body);
        },
      });
      this.#running.add(handle);
    }

    #take(path: string, body: unknown): void {
      if (path === '/session/v1/login-request') this.login = takeLogin(body) ?? this.login;
      if (path === '/session/token-request') this.#renew(body);
      if (path !== '/queries/v1/query-request' && !path.endsWith('/result')) return;
      this.#polls = isInProgress(body) ? this.#polls + 1 : 0;
      this.result = takeResult(body) ?? this.result;
    }

    #renew(body: unknown): void {
      const renewed = takeLogin(body) as { readonly sessionToken?: string; readonly masterToken?: string } | undefined;
      if (renewed === undefined) return;
      this.login = { ...this.login, token: renewed.sessionToken, masterToken: renewed.masterToken };
    }

    #later(delayMs: number, run: () => void): void {
      if (delayMs === 0) {
        run();
        return;
      }
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        run();
      }, delayMs);
      this.#timers.add(timer);
    }
  };
}

/** Hands over an answer; what the driver throws of it becomes the answer's error, as its own client does. */
async function answer(
  options: HttpRequest,
  error: unknown,
  response: HttpResponse | null,
  body: unknown,
): Promise<void> {
  try {
    await options.callback?.(error, response, body);
  } catch (thrown) {
    try {
      await options.callback?.(thrown, null, null);
    } catch {
      // The caller's deadline is what is left.
    }
  }
}

function failureOf(error: unknown, response: HttpResponse | null, attempts: number): HttpFailure | undefined {
  if (error !== null && error !== undefined) {
    const code = (error as { readonly code?: unknown }).code;
    return { network: typeof code === 'string' ? code : 'UNKNOWN', attempts };
  }
  const status = response?.statusCode;
  return status === undefined || status === 200 ? undefined : { status, attempts };
}

function isRetryable({ status, network }: HttpFailure): boolean {
  if (network !== undefined) return !FINAL_NETWORK_CODES.test(network);
  return status !== undefined && (status >= 500 || status === 408 || status === 429);
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}

/** Statements are known by the id of their request, so that one sent again runs once; the counts are for the server's own records. */
function withRetry(url: string, path: string, attempt: number, started: number, { status }: HttpFailure): string {
  if (!path.startsWith('/queries/')) return url;
  const again = new URL(url);
  again.searchParams.set('clientStartTime', String(started));
  again.searchParams.set('retryCount', String(attempt));
  again.searchParams.set('retryReason', String(status ?? 0));
  return again.href;
}
