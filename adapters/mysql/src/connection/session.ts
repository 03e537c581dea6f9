import { once } from 'node:events';
import { type Connection, watchConnection } from '@askema/adapter-kit';
import { type ExecuteOptions, loadPeer, type Row } from '@askema/core';
import { mysqlServer } from '@askema/dialects';
import type { ConnectionOptions, Connection as Driver, FieldPacket, TypedParameter } from 'mysql2';
import { connectError } from '../errors/connect-error.ts';
import type { ResolvedOptions } from '../options.ts';
import type { MysqlSsl } from '../read-address.ts';
import { encodeParameters } from '../values/encode-parameter.ts';
import { type ResultReader, readResult, socketOf } from './read-result.ts';

/** How long the server may take to stop a statement. */
const KILL_MS = 1_000;

/** Memory that a session of MariaDB may take: a CTE that is read twice, thirty times over, takes all that there is. */
const MAX_MEMORY_BYTES = 512 * 1024 * 1024;

/** What the server says of itself. */
export interface Server {
  readonly version: string;
  readonly isMariadb: boolean;
  /** `lower_case_table_names` is not 0. */
  readonly foldsTableNames: boolean;
}

/** A statement that the server has looked at. One without columns is no query. */
export interface Prepared {
  readonly sql: string;
  readonly hasColumns: boolean;
  readonly placeholders: number;
}

/** Cells that a double, a `Date` or an object could not hold exactly come as text or bytes. */
const DRIVER_OPTIONS: ConnectionOptions = {
  rowsAsArray: true,
  supportBigNumbers: true,
  bigNumberStrings: true,
  dateStrings: true,
  jsonStrings: true,
  // No code is made of the names of columns.
  disableEval: true,
  multipleStatements: false,
  enableKeepAlive: true,
  // The server cannot ask for files of this machine.
  flags: ['-LOCAL_FILES', '-IGNORE_SPACE'],
  charset: 'utf8mb4_general_ci',
};

/** One connection to the server; one call at a time uses it. */
export class Session {
  readonly connection: Connection;
  readonly #driver: Driver;
  server: Server = { version: '', isMariadb: false, foldsTableNames: false };
  readonly #types: typeof TypedParameter;
  /** What every call sets before it begins, as parts of one SET: `reset` takes the settings of a connection back. */
  settings = '';
  #prepared: Prepared | undefined;
  #reader: ResultReader | undefined;

  private constructor(driver: Driver, types: typeof TypedParameter, options: ResolvedOptions) {
    this.#driver = driver;
    this.#types = types;
    this.connection = watchConnection({
      driver,
      socket: socketOf(driver),
      cancel: () => kill(options, `QUERY ${driver.threadId}`),
      terminate: () => kill(options, `CONNECTION ${driver.threadId}`),
      end: () => new Promise((resolve) => driver.end(resolve)),
    });
  }

  /** Rejects with `DATABASE_UNAVAILABLE`, `DATABASE_NOT_FOUND`, `CONFIG_INVALID` or `DEPENDENCY_MISSING`. */
  static async connect(options: ResolvedOptions): Promise<Session> {
    const { TypedParameter: types } = await loadDriver();
    const session = new Session(await openDriver(options), types, options);
    try {
      const [[version = '', modes = '', folding] = []] = (await session.query(
        'SELECT VERSION(), @@SESSION.sql_mode, @@lower_case_table_names',
      )) as readonly string[][];
      session.server = { version, isMariadb: /mariadb/i.test(version), foldsTableNames: Number(folding) !== 0 };
      const kept = modes.split(',').filter((mode) => !mysqlServer.otherSyntaxModes.includes(mode));
      const seconds = Math.ceil(options.lockTimeoutMs / 1_000);
      // A recursive CTE of more steps would be cut, and only a warning would say so.
      const steps = 'max_recursive_iterations = 4294967295';
      const memory = `max_session_mem_used = LEAST(@@GLOBAL.max_session_mem_used, ${MAX_MEMORY_BYTES})`;
      session.settings = [
        'NAMES utf8mb4 COLLATE utf8mb4_general_ci',
        `sql_mode = '${kept.join()}', innodb_lock_wait_timeout = ${seconds}, lock_wait_timeout = ${seconds}`,
        ...(session.server.isMariadb ? [memory, steps] : []),
      ].join(', ');
    } catch (error) {
      session.connection.lost();
      await session.connection.close();
      throw connectError(error, options);
    }
    return session;
  }

  /** A statement of our own; its rows. */
  async query(sql: string): Promise<readonly Row[]> {
    const [rows] = await this.connection.track(this.#driver.promise().query(sql));
    return Array.isArray(rows) ? (rows as unknown as readonly Row[]) : [];
  }

  /** What the server makes of one statement, without running it. */
  prepare(sql: string): Promise<Prepared> {
    const running = new Promise<Prepared>((resolve, reject) => {
      this.#driver.prepare({ sql, rowsAsArray: true } as never, (error, statement) => {
        if (error !== null) return reject(error);
        const { columns, parameters } = statement as unknown as Record<string, readonly FieldPacket[]>;
        this.#prepared = { sql, hasColumns: columns?.length !== 0, placeholders: parameters?.length ?? 0 };
        resolve(this.#prepared);
      });
    });
    return this.connection.track(running);
  }

  /** Runs what was prepared. A row of more bytes than `maxRowBytes` ends the connection before it is collected. */
  run(parameters: ExecuteOptions['parameters'], maxRowBytes: number): ResultReader {
    const { sql = '', placeholders = 0 } = this.#prepared ?? {};
    const values = encodeParameters(parameters, placeholders, this.#types);
    this.#reader = readResult(this.#driver, sql, values, maxRowBytes);
    this.connection.track(this.#reader.ended);
    return this.#reader;
  }

  /**
   * Leaves nothing of a call: no transaction, variable, lock or setting, whatever set it (a column may). `isChanged`:
   * more was left than a reset takes back, as a role or a database, so the session is closed.
   */
  async rest(isChanged: boolean): Promise<void> {
    const { connection } = this;
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader?.exceeded()) connection.lost();
    if (reader !== undefined && !(await reader.leave())) await connection.stop();
    else await connection.settle();
    if (!connection.usable) return;
    if (this.#prepared !== undefined) this.#driver.unprepare({ sql: this.#prepared.sql, rowsAsArray: true } as never);
    this.#prepared = undefined;
    if (!isChanged) return connection.settle(this.#driver.promise().reset());
    await connection.settle(this.query('ROLLBACK'));
    await connection.close();
    connection.lost();
  }
}

async function loadDriver(): Promise<typeof import('mysql2')> {
  const peer = { peer: 'mysql2', range: '^3.24.0', neededBy: '@askema/mysql' };
  const module = await loadPeer(() => import('mysql2'), peer);
  // The package is CommonJS, and its exports are getters.
  return (Reflect.get(module, 'default') as typeof module | undefined) ?? module;
}

async function openDriver(options: ResolvedOptions): Promise<Driver> {
  const { createConnection } = await loadDriver();
  const { host, port, user, database, password, ssl, connectTimeoutMs } = options;
  const secret = typeof password === 'function' ? await password() : password;
  const driver = createConnection({
    ...DRIVER_OPTIONS,
    ...(host.startsWith('/') ? { socketPath: host } : { host, port }),
    user,
    database,
    password: secret,
    ssl: ssl && sslOptions(ssl),
    connectTimeout: connectTimeoutMs,
  } as ConnectionOptions);
  await once(driver, 'connect').catch((error: unknown) => {
    throw connectError(error, options);
  });
  return driver;
}

/** Without being told mysql2 takes a certificate of any host. */
function sslOptions({ rejectUnauthorized = true, verifyIdentity = rejectUnauthorized, ...others }: MysqlSsl): object {
  return { ...others, rejectUnauthorized, verifyIdentity };
}

/** Stops a statement or a whole connection (`QUERY 7`, `CONNECTION 7`) over another one; it takes a moment at most. */
async function kill(options: ResolvedOptions, what: string): Promise<void> {
  const driver = await openDriver({ ...options, connectTimeoutMs: KILL_MS });
  driver.on('error', () => undefined);
  const killed = driver.promise().query({ sql: `KILL ${what}`, timeout: KILL_MS });
  await killed.finally(() => driver.destroy());
}
