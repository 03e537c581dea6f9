import { type Access, loadPeer, quoteString } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import type { Client, ClientConfig, Submittable } from 'pg';
import { connectError } from '../errors/connect-error.ts';
import type { ResolvedOptions } from '../options.ts';
import { BatchQuery } from './batch-query.ts';
import { type BackendKey, cancelBackend } from './cancel-request.ts';
import { guardMessages, type MessageGuard } from './message-guard.ts';
import { PortalQuery } from './portal-query.ts';
import { type Prepared, PrepareQuery } from './prepare-query.ts';
import type { WireConnection, WireRow } from './wire.ts';

/** How long the server may take to answer after it was told to stop. */
const STOP_MS = 1_000;

/** A connection that is left with a transaction open for this long past its deadline is ended by the server. */
const IDLE_GRACE_MS = 5_000;

/** How a transaction is opened. */
export interface TransactionSettings {
  readonly access: Access;
  readonly timeoutMs: number;
  /** All statements see the database of one moment. */
  readonly snapshot?: boolean | undefined;
  readonly searchPath?: readonly string[] | undefined;
  readonly role?: string | undefined;
  /** A query of our own that is run behind the settings. */
  readonly query?: string | undefined;
}

/** The text of every cell, whatever its type. */
const TEXT_TYPES = { getTypeParser: () => (text: string) => text };

/** One connection to the server; one call at a time uses it. */
export class Session {
  readonly #client: Client;
  readonly #wire: WireConnection;
  readonly #guard: MessageGuard;
  readonly #options: ResolvedOptions;
  #failure: Error | undefined;
  #doubtful = false;
  #statement = '';
  #stopping: Promise<void> | undefined;
  #running: Promise<unknown> = Promise.resolve();

  private constructor(client: Client, options: ResolvedOptions) {
    this.#client = client;
    this.#options = options;
    this.#wire = (client as unknown as { readonly connection: WireConnection }).connection;
    this.#guard = guardMessages(this.#wire.stream);
    client.on('error', (error) => {
      this.#failure ??= error;
    });
    client.on('end', () => {
      this.#failure ??= new Error('The connection was closed.');
    });
  }

  /** Rejects with `DATABASE_UNAVAILABLE`, `DATABASE_NOT_FOUND`, `CONFIG_INVALID` or `DEPENDENCY_MISSING`. */
  static async connect(options: ResolvedOptions): Promise<Session> {
    const pg = await loadPeer(() => import('pg'), { peer: 'pg', range: '^8.20.0', neededBy: '@askema/postgres' });
    const config: ClientConfig = {
      host: options.host,
      port: options.port,
      application_name: options.applicationName,
      connectionTimeoutMillis: options.connectTimeoutMs,
      keepAlive: true,
      ssl: options.ssl,
      types: TEXT_TYPES as never,
      ...(options.user === undefined ? {} : { user: options.user }),
      ...(options.database === undefined ? {} : { database: options.database }),
      ...(options.password === undefined ? {} : { password: options.password as string }),
    };
    const Driver = pg.Client ?? pg.default.Client;
    const client = new Driver(config);
    // Errors of the time before `connect` has settled come both ways.
    const ignore = (): void => undefined;
    client.on('error', ignore);
    try {
      await client.connect();
    } catch (error) {
      client.end().catch(ignore);
      throw connectError(error, options);
    }
    const session = new Session(client, options);
    client.off('error', ignore);
    return session;
  }

  /** False once the connection is gone, or nobody knows what the server still does on it. */
  get usable(): boolean {
    return this.#failure === undefined && !this.#doubtful && this.#stopping === undefined;
  }

  /** True when a message was larger than it may be: it was not read, and the connection is gone. */
  get exceeded(): boolean {
    return this.#guard.exceeded();
  }

  get gone(): boolean {
    return this.#failure !== undefined;
  }

  /** What one row may weigh on the wire from now on. */
  set maxMessageBytes(limit: number) {
    this.#guard.limit = limit;
  }

  get key(): BackendKey {
    const { processID, secretKey } = this.#client as unknown as { processID: number; secretKey: number };
    return { processId: processID, secretKey };
  }

  /**
   * One or several statements of our own, by the simple protocol; the rows of the last one that gives some. Cells are
   * text.
   */
  async simple(sql: string): Promise<readonly WireRow[]> {
    const results: unknown = await this.#track(this.#client.query({ text: sql, rowMode: 'array' }));
    const last = Array.isArray(results)
      ? results.findLast(({ fields }: { readonly fields: readonly unknown[] }) => fields.length > 0)
      : results;
    return (last as { readonly rows?: readonly WireRow[] } | undefined)?.rows ?? [];
  }

  /** Several statements of our own in one round trip; the rows of each, by its name. Cells are text. */
  async batch<Name extends string>(
    statements: Readonly<Record<Name, string>>,
  ): Promise<Readonly<Record<Name, readonly WireRow[]>>> {
    const names = Object.keys(statements) as Name[];
    const query = new BatchQuery(names.map((name) => statements[name]));
    this.#client.query(query as unknown as Submittable);
    const results = await this.#track(query.results);
    return Object.fromEntries(names.map((name, index) => [name, results[index] ?? []])) as never;
  }

  /**
   * Begins the transaction of a call. The settings are set by a query, and not by SET, because a transaction that has
   * run one cannot be made writable any more (sql-set-transaction). Gives the rows of `query`.
   */
  async begin(request: TransactionSettings): Promise<readonly WireRow[]> {
    const { access, timeoutMs, snapshot, searchPath, role, query } = request;
    const settings: [name: string, value: string][] = [
      ['statement_timeout', String(timeoutMs)],
      ['lock_timeout', String(Math.min(this.#options.lockTimeoutMs, timeoutMs))],
      ['idle_in_transaction_session_timeout', String(timeoutMs + IDLE_GRACE_MS)],
      ['DateStyle', 'ISO, YMD'],
      ['IntervalStyle', 'iso_8601'],
      ['bytea_output', 'hex'],
      ['lc_monetary', 'C'],
      ['extra_float_digits', '1'],
      ['client_encoding', 'UTF8'],
      ['standard_conforming_strings', 'on'],
    ];
    const path = searchPath ?? this.#options.searchPath;
    if (path !== undefined)
      settings.push(['search_path', path.map((schema) => `"${schema.replaceAll('"', '""')}"`).join(', ')]);
    if (role !== undefined) settings.push(['role', role]);
    const calls = settings.map(
      ([name, value]) => `set_config('${name}', ${quoteString(value, postgresDialect)}, true)`,
    );
    const isolation = snapshot ? 'REPEATABLE READ' : 'READ COMMITTED';
    const mode = access === 'write' ? 'READ WRITE' : 'READ ONLY';
    const begin = `BEGIN ISOLATION LEVEL ${isolation} ${mode}; SELECT ${calls.join(', ')}`;
    const rows = await this.simple(query === undefined ? begin : `${begin}; ${query}`);
    return query === undefined ? [] : rows;
  }

  /** Ends the transaction of a call, and forgets what a statement could have left beside it. */
  async rollback(): Promise<void> {
    await this.simple('ROLLBACK; DEALLOCATE ALL; SELECT pg_advisory_unlock_all()');
  }

  async commit(): Promise<void> {
    await this.simple('COMMIT');
  }

  /** Forgets everything that statements which may write have set, prepared or locked. */
  async discardAll(): Promise<void> {
    await this.simple('DISCARD ALL');
  }

  prepare(sql: string): Promise<Prepared> {
    const query = new PrepareQuery(sql);
    this.#statement = query.statement;
    this.#client.query(query as unknown as Submittable);
    return this.#track(query.prepared);
  }

  /** Runs what was prepared. */
  portal(values: readonly (string | Buffer | null)[], firstRows: number): PortalQuery {
    const query = new PortalQuery(this.#statement, values, firstRows);
    this.#client.query(query as unknown as Submittable);
    return query;
  }

  /**
   * Stops on the server whatever runs here. Afterwards the session is not used again: the request may still hit its
   * next statement.
   */
  stop(): Promise<void> {
    this.#stopping ??= cancelBackend(this.#options, this.key);
    return this.#stopping;
  }

  /** Waits for what still runs, at most a moment; a session that does not come to rest is doubtful. */
  async settle(running: Promise<unknown> = this.#running): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(true), STOP_MS);
    });
    const settled = running.then(
      () => false,
      () => false,
    );
    const isLate = await Promise.race([settled, late]);
    clearTimeout(timer);
    if (!isLate) return;
    this.#doubtful = true;
    await this.stop();
  }

  #track<T>(running: Promise<T>): Promise<T> {
    this.#running = running;
    running.catch(() => undefined);
    return running;
  }

  /** Does not keep the process alive while nobody uses it. */
  hold(keep: boolean): void {
    const stream = this.#wire.stream as { ref?(): void; unref?(): void };
    if (keep) stream.ref?.();
    else stream.unref?.();
  }

  /** Closes the connection: politely when it is at rest, else at once. */
  async destroy(): Promise<void> {
    // Who waits for it must not find the process ended before.
    this.hold(true);
    if (this.usable) await Promise.race([this.#client.end().catch(() => undefined), delay(STOP_MS)]);
    await this.#stopping;
    this.#wire.stream.destroy();
  }
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
