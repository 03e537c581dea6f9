import { type CallLimits, isAskemaError, startLimits } from '@askema/core';
import { connectionError, loginError } from '../errors/connection-error.ts';
import { readFailure } from '../errors/driver-error.ts';
import type { ResolvedOptions } from '../options.ts';
import { type DriverSession, loadDriver } from './driver.ts';

/** The longest that cancelling a statement or logging out may take; both happen behind the caller's back. */
export const FAREWELL_MS = 2_000;

/** One session, logged in. */
export interface Link extends DriverSession {
  /** What must not be shown: what the user gave, and what the server gave. */
  secrets(): readonly (string | undefined)[];
}

/** Logs in, within the limits and `loginTimeoutMs`. What was begun when they end is left without a trace. */
export async function openLink(options: ResolvedOptions, limits: CallLimits): Promise<Link> {
  const driver = await loadDriver();
  limits.throwIfOver();
  const { secrets } = options.authentication;
  let session: DriverSession;
  try {
    session = driver.create(driverOptions(options), { retryDelayMs: options.retryDelayMs });
  } catch (error) {
    throw isAskemaError(error) ? error : loginError(readFailure(error, undefined, secrets), options);
  }
  const { connection, http } = session;
  const login = startLimits({ timeoutMs: options.loginTimeoutMs, signal: limits.signal, what: 'The login' });
  try {
    await login.race(
      new Promise<void>((resolve, reject) => {
        connection.connect((error) => {
          if (error === undefined || error === null) resolve();
          else reject(loginError(readFailure(error, http.failure, secrets), options));
        });
      }),
    );
  } catch (error) {
    http.stop();
    if (!login.signal.aborted || error !== login.error()) throw error;
    const over = limits.error();
    if (over?.code === 'ABORTED') throw over;
    throw http.failure === undefined ? (over ?? error) : connectionError(http.failure, options, 'The login');
  } finally {
    login.release();
  }
  return { connection, http, secrets: () => [...secrets, http.login?.token, http.login?.masterToken] };
}

/** Logs out, within a bounded time, and closes the sockets. Never rejects. */
export async function closeLink({ connection, http }: DriverSession): Promise<void> {
  http.stopRetries();
  await within(FAREWELL_MS, (done) => connection.destroy(done));
  http.stop();
}

/** Waits until `run` calls back, but no longer than that. */
export async function within(timeoutMs: number, run: (done: () => void) => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
    try {
      run(() => resolve());
    } catch {
      resolve();
    }
  });
  clearTimeout(timer);
}

/** What the driver is told; a new object each time, because it writes into it. */
function driverOptions(options: ResolvedOptions): Record<string, unknown> {
  const { account, accessUrl, database, schema, warehouse, role, authentication } = options;
  const place = Object.entries({ accessUrl, database, schema, warehouse, role }).filter(
    ([, value]) => value !== undefined,
  );
  return {
    clientSessionKeepAlive: false,
    application: 'Askema',
    ...options.driverOptions,
    ...authentication.driver,
    account,
    ...Object.fromEntries(place),
    rowMode: 'array',
    streamResult: true,
    // Cells pass as texts already; these hold should the driver convert one after all.
    fetchAsString: ['Number', 'Date', 'JSON'],
    representNullAsStringNull: false,
    // The requests of a session have retries of their own, which can be stopped (`SessionHttp`).
    sfRetryMaxLoginRetries: 0,
    largeResultSetRetryMaxNumRetries: 0,
  };
}
