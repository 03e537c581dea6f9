import { createRequire } from 'node:module';
import { AskemaError, loadPeer } from '@askema/core';
import { type BaseHttpClass, createSessionHttp, type HttpSettings, type SessionHttp } from './session-http.ts';

/** What is used of a connection of snowflake-sdk. */
interface DriverConnection {
  connect(callback: (error: unknown) => void): unknown;
  execute(options: Readonly<Record<string, unknown>>): DriverStatement;
  destroy(callback: (error: unknown) => void): unknown;
}

/** What is used of a statement of snowflake-sdk. */
export interface DriverStatement {
  cancel(callback: (error: unknown) => void): void;
  /** Rows from `start` to `end`, both inclusive; only the chunks that hold them are loaded. */
  streamRows(range: { readonly start: number; readonly end: number }): AsyncIterable<readonly (string | null)[]>;
}

/** One session of the driver, and its requests. */
export interface DriverSession {
  readonly connection: DriverConnection;
  readonly http: SessionHttp;
}

export interface Driver {
  /** Makes a session that is not logged in yet. Throws what the driver says of options that cannot work. */
  create(options: Readonly<Record<string, unknown>>, settings: HttpSettings): DriverSession;
}

/** The modules of snowflake-sdk that are put together here. */
interface Parts {
  readonly core: (options: Readonly<Record<string, unknown>>) => {
    createConnection(options: Readonly<Record<string, unknown>>): DriverConnection;
  };
  readonly NodeHttpClient: BaseHttpClass;
  readonly client: Readonly<Record<string, unknown>>;
}

let loading: Promise<Parts> | undefined;

/**
 * Loads snowflake-sdk at its first use, quietly: its parts are put together with a logger that says nothing (its own writes a file and to the
 * console) and with an HTTP client whose requests can be stopped (`SessionHttp`). Rejects with `DEPENDENCY_MISSING`.
 */
export async function loadDriver(): Promise<Driver> {
  loading ??= loadParts();
  const { core, NodeHttpClient, client } = await loading.catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return {
    create(options, settings) {
      let http: SessionHttp | undefined;
      const httpClientClass = createSessionHttp(NodeHttpClient, settings, (created) => {
        http = created;
      });
      const connection = core({ httpClientClass, loggerClass: SilentLogger, client }).createConnection(options);
      if (http === undefined) throw unfit(undefined);
      return { connection, http };
    },
  };
}

async function loadParts(): Promise<Parts> {
  // Its files are CommonJS, and not all of them are exported by name.
  const require = createRequire(import.meta.url);
  const names = { peer: 'snowflake-sdk', range: '^3.3', neededBy: '@askema/snowflake' };
  await loadPeer(async () => require.resolve('snowflake-sdk'), names);
  return withoutProbes(() => {
    try {
      const part = <T>(name: string): T => require(`snowflake-sdk/dist/lib/${name}`) as T;
      part<{ setInstance(logger: object): void }>('logger').setInstance(new SilentLogger());
      const core = part<Parts['core']>('core');
      const { NodeHttpClient } = part<Pick<Parts, 'NodeHttpClient'>>('http/node');
      const { driverVersion, driverName } = part<Readonly<Record<string, string>>>('util');
      if (typeof core !== 'function' || typeof NodeHttpClient !== 'function') throw new Error('parts are missing');
      return {
        core,
        NodeHttpClient,
        client: { version: driverVersion, name: driverName, environment: process.versions },
      };
    } catch (error) {
      throw unfit(error);
    }
  });
}

/** At its import the driver asks the metadata servers of three clouds where it runs, unless it is told not to. */
function withoutProbes<T>(load: () => T): T {
  const name = 'SNOWFLAKE_DISABLE_PLATFORM_DETECTION';
  const before = process.env[name];
  process.env[name] = 'true';
  try {
    return load();
  } finally {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  }
}

function unfit(cause: unknown): AskemaError {
  const message =
    'The installed snowflake-sdk is not put together as this adapter knows it. Install a version that works: npm install "snowflake-sdk@^3.3"';
  return new AskemaError('DEPENDENCY_MISSING', message, cause === undefined ? {} : { cause });
}

/** What the driver logs to: nothing. Nothing in it can be configured, so that no file of settings makes it loud. */
class SilentLogger {
  error(): void {}
  warn(): void {}
  info(): void {}
  debug(): void {}
  trace(): void {}
  configure(): void {}
}
