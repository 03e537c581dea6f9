import { type Connection, watchConnection } from '@askema/adapter-kit';
import { type Access, loadPeer, quoteIdentifier, quoteString } from '@askema/core';
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
  /** Expressions whose values are wanted; they are selected behind the settings. */
  readonly columns: readonly string[];
}

/**
 * Settings that whoever owns the database may have set for it (ALTER DATABASE … SET), and that would change results or
 * end sessions (runtime-config-client, runtime-config-compatible). Settings that later versions brought are set there.
 */
const PINNED: readonly (readonly [name: string, value: string])[] = [
  ['DateStyle', 'ISO, YMD'],
  ['IntervalStyle', 'iso_8601'],
  ['bytea_output', 'hex'],
  ['lc_monetary', 'C'],
  ['extra_float_digits', '1'],
  ['client_encoding', 'UTF8'],
  ['standard_conforming_strings', 'on'],
  ['gin_fuzzy_search_limit', '0'],
  ['transform_null_equals', 'off'],
  ['array_nulls', 'on'],
  ['backslash_quote', 'safe_encoding'],
  ['quote_all_identifiers', 'off'],
  ['xmlbinary', 'base64'],
  ['xmloption', 'content'],
  ['row_security', 'on'],
  ['constraint_exclusion', 'partition'],
  ['client_min_messages', 'warning'],
  ['exit_on_error', 'off'],
];
const PINNED_LATER: readonly (readonly [name: string, value: string])[] = [
  ['transaction_timeout', '0'],
  ['restrict_nonsystem_relation_kind', ''],
];
const LATER = PINNED_LATER.map(
  ([name, value]) =>
    `CASE WHEN pg_catalog.current_setting('${name}', true) IS NOT NULL THEN pg_catalog.set_config('${name}', '${value}', true) END`,
);

/** Where the server can: it looks so often whether the connection is still there while a statement runs. */
const CHECKED = `CASE WHEN pg_catalog.version() LIKE '%linux%' AND pg_catalog.current_setting('client_connection_check_interval', true) IS NOT NULL
  THEN pg_catalog.set_config('client_connection_check_interval', '500', true) END`;

const startOf = (time: string): string => `pg_catalog.date_part('epoch', ${time})::pg_catalog.text`;

const STANDING = ['pg_catalog.pg_backend_pid()', startOf('pg_catalog.transaction_timestamp()')];

/** Operators and functions of our own statements are the engine's: nobody else may create there. */
const CLOSED = 'SET LOCAL search_path = pg_catalog, pg_temp';

/** Where names of a user are found: an expression of full names and no operator, safe under any search path. */
const PATH = `SELECT pg_catalog.current_setting('search_path'), pg_catalog.array_to_json(pg_catalog.current_schemas(true))`;

/** Ending another session is a matter of a moment. */
const TERMINATE_MS = 1_000;

/** The text of every cell, whatever its type. */
const TEXT_TYPES = { getTypeParser: () => (text: string) => text };

/** One connection to the server; one call at a time uses it. */
export class Session {
  readonly connection: Connection;
  readonly #client: Client;
  readonly #guard: MessageGuard;
  readonly #options: ResolvedOptions;
  #statement = '';
  /** The process of the server and the start of its transaction, which no other has. */
  #standing: readonly (string | null)[] = [];
  #portal: PortalQuery | undefined;
  /** Sets the search path of the user's statement. */
  #opening = '';
  /** Whether that path is set, and not ours. */
  #isOpen = false;
  #shown = 0;

  private constructor(client: Client, options: ResolvedOptions) {
    this.#client = client;
    this.#options = options;
    const { stream } = (client as unknown as { readonly connection: WireConnection }).connection;
    this.#guard = guardMessages(stream);
    this.connection = watchConnection({
      driver: client,
      socket: stream,
      cancel: () => cancelBackend(options, client as unknown as BackendKey),
      terminate: () => this.#terminate(),
      end: () => client.end(),
    });
  }

  /** Rejects with `DATABASE_UNAVAILABLE`, `DATABASE_NOT_FOUND`, `CONFIG_INVALID` or `DEPENDENCY_MISSING`. */
  static async connect(options: ResolvedOptions): Promise<Session> {
    const client = await openClient(options);
    return new Session(client, options);
  }

  /** Set when a message was larger than it may be: it was not read, and the connection is gone. */
  get exceeded(): 'row' | 'error' | undefined {
    return this.#guard.exceeded();
  }

  /** What one row may weigh on the wire from now on. */
  set maxMessageBytes(limit: number) {
    this.#guard.limit = limit;
  }

  /** A statement of our own; names in its rows have their schema. Cells are text. */
  async simple(sql: string): Promise<readonly WireRow[]> {
    return (await this.batch({ rows: sql })).rows;
  }

  /** A statement of the user, under the user's search path. Cells are text. */
  async ask(sql: string): Promise<readonly WireRow[]> {
    this.#open();
    return this.command(sql);
  }

  /**
   * Statements that stand outside of a transaction, or end one: they use no operator and full names. The rows of the last
   * one that gives some.
   */
  async command(sql: string): Promise<readonly WireRow[]> {
    const results: unknown = await this.connection.track(this.#client.query({ text: sql, rowMode: 'array' }));
    const last = Array.isArray(results)
      ? results.findLast(({ fields }: { readonly fields: readonly unknown[] }) => fields.length > 0)
      : results;
    return (last as { readonly rows?: readonly WireRow[] } | undefined)?.rows ?? [];
  }

  /**
   * Several statements of our own in one round trip; the rows of each, by its name. Cells are text. Names are looked up in
   * `pg_catalog` alone.
   *
   * @param shown statements whose rows name things as the user's search path has it (`format_type`): they are parsed and
   *   planned under our path, and run as cursors under the user's.
   */
  async batch<Name extends string, Shown extends string = never>(
    statements: Readonly<Record<Name, string>>,
    shown: Readonly<Record<Shown, string>> = {} as never,
  ): Promise<Readonly<Record<Name | Shown, readonly WireRow[]>>> {
    const cursors = (Object.entries(shown) as [string, string][]).map(([name, sql]) => {
      this.#shown += 1;
      return { name, sql, cursor: `askema_shown_${this.#shown}` };
    });
    const all: (readonly [name: string, sql: string])[] = [
      ...(this.#isOpen ? [['', CLOSED] as const] : []),
      ...cursors.map(({ sql, cursor }) => ['', `DECLARE ${cursor} NO SCROLL CURSOR FOR ${sql}`] as const),
      ...(Object.entries(statements) as [string, string][]),
      ...(cursors.length === 0 ? [] : [['', this.#opening] as const]),
      ...cursors.flatMap(
        ({ name, cursor }) =>
          [
            [name, `FETCH ALL FROM ${cursor}`],
            ['', `CLOSE ${cursor}`],
          ] as const,
      ),
    ];
    this.#isOpen = cursors.length > 0;
    const results = await this.connection.track(this.#send(all.map(([, sql]) => sql)).results);
    return Object.fromEntries(all.map(([name], index) => [name, results[index] ?? []])) as never;
  }

  /** What is handed to the driver next runs under the user's search path. */
  #open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    // Where it fails, the transaction is aborted, and the statement fails with it.
    this.connection.track(this.#send([this.#opening]).results).catch(() => undefined);
  }

  #send(statements: readonly string[]): BatchQuery {
    const query = new BatchQuery(statements);
    this.#client.query(query as unknown as Submittable);
    return query;
  }

  /**
   * Begins the transaction of a call. A query is among what it sends, because a transaction that has run one cannot be
   * made writable any more (sql-set-transaction); the settings that every server has are set by SET, which takes the
   * server half as long as a query. Gives the schemas of the user's search path, and the values of `columns`.
   *
   * From here on names are looked up in `pg_catalog` alone, but for the user's statement. Where only reading is allowed,
   * `pg_catalog` is the first place for that one, too: nothing stands in for what the engine calls by itself.
   */
  async begin(request: TransactionSettings): Promise<WireRow> {
    const { access, timeoutMs, snapshot, searchPath, role, columns } = request;
    const settings: (readonly [name: string, value: string])[] = [
      ['statement_timeout', String(timeoutMs)],
      ['lock_timeout', String(Math.min(this.#options.lockTimeoutMs, timeoutMs))],
      ['idle_in_transaction_session_timeout', String(timeoutMs + IDLE_GRACE_MS)],
      ...PINNED,
    ];
    const scope: [name: string, value: string][] = [];
    if (searchPath !== undefined)
      scope.push(['search_path', searchPath.map((schema) => quoteIdentifier(schema, postgresDialect)).join(', ')]);
    if (role !== undefined) scope.push(['role', role]);
    const isolation = snapshot ? 'REPEATABLE READ' : 'READ COMMITTED';
    const mode = access === 'write' ? 'READ WRITE' : 'READ ONLY';
    const selected = [...LATER, CHECKED, ...STANDING, ...columns].join(', ');
    this.#isOpen = false;
    const { path, row } = await this.batch({
      begun: `BEGIN ISOLATION LEVEL ${isolation} ${mode}`,
      scoped: `SELECT ${scope.map(setting).join(', ')}`,
      path: PATH,
      closed: CLOSED,
      ...Object.fromEntries(settings.map(([name, value]) => [`set ${name}`, `SET LOCAL ${name} = '${value}'`])),
      row: `SELECT ${selected}`,
    });
    const [, pid = null, started = null, ...values] = row[0]?.slice(LATER.length) ?? [];
    this.#standing = [pid, started];
    const [found, schemas = null] = path[0] ?? [];
    const isShadowing = access === 'read' && /pg_catalog/i.test(found ?? '');
    this.#opening = `SELECT ${setting(['search_path', isShadowing ? `pg_catalog, ${found}` : (found ?? '')])}`;
    return [schemas, ...values];
  }

  async commit(): Promise<void> {
    await this.command('COMMIT');
  }

  prepare(sql: string): Promise<Prepared> {
    // One round trip for both; where the first fails, the other is not looked at.
    const query = new PrepareQuery(sql, this.#isOpen ? undefined : this.#opening);
    this.#isOpen = true;
    this.#statement = query.statement;
    this.#client.query(query as unknown as Submittable);
    return this.connection.track(query.prepared);
  }

  /** Runs what was prepared. */
  portal(values: readonly (string | Buffer | null)[], firstRows: number): PortalQuery {
    this.#open();
    this.#portal = new PortalQuery(this.#statement, values, firstRows, (query) => {
      this.#client.query(query as unknown as Submittable);
    });
    return this.#portal;
  }

  /**
   * Ends the process of the server that runs the transaction of this session, over another connection: a statement may
   * swallow a cancel. The start of the transaction tells it from another process that a pooler has given us since. Where
   * rights do not allow it, the server notices that the connection is closed, or ends by its own deadline.
   */
  async #terminate(): Promise<void> {
    const [pid, started] = this.#standing;
    if (!/^\d+$/.test(pid ?? '') || !/^[\d.]+$/.test(started ?? '')) return;
    const client = await openClient({ ...this.#options, connectTimeoutMs: TERMINATE_MS });
    const ended =
      client.query(`SET search_path = pg_catalog, pg_temp; SELECT pg_catalog.pg_terminate_backend(a.pid) FROM pg_catalog.pg_stat_activity AS a
      WHERE a.pid = ${pid} AND ${startOf('a.xact_start')} = '${started}'`);
    await ended.finally(() => client.end());
  }

  /**
   * Ends what runs, rolls back what was not committed, and forgets what a statement has left beside its transaction: one
   * that may write can have set, prepared or locked anything.
   */
  async rest(access: Access): Promise<void> {
    const portal = this.#portal;
    this.#portal = undefined;
    this.maxMessageBytes = Number.POSITIVE_INFINITY;
    const { connection } = this;
    if (portal !== undefined && !connection.gone) await connection.settle(portal.close());
    await connection.settle();
    if (!connection.usable) return;
    const leaving = this.#send(['ROLLBACK', 'DEALLOCATE ALL', 'SELECT pg_catalog.pg_advisory_unlock_all()']);
    const clean = connection.track(leaving.results);
    await connection.settle(access === 'write' ? clean.then(() => this.command('DISCARD ALL')) : clean);
  }
}

function setting([name, value]: readonly [name: string, value: string]): string {
  return `pg_catalog.set_config('${name}', ${quoteString(value, postgresDialect)}, true)`;
}

/** Rejects as {@link Session.connect} does. */
async function openClient(options: ResolvedOptions): Promise<Client> {
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
  return client;
}
