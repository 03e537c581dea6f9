import { availableParallelism } from 'node:os';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Access, checkAccess, checkTimer, checkWhole, invalidOption } from '@askema/core';

/** Options of {@link sqlite}. */
export interface SqliteOptions {
  /** The database file. It must exist; the adapter creates none. */
  readonly file: string | URL;
  /** What the adapter may be asked for at most. Default: `read`. */
  readonly access?: Access | undefined;
  /**
   * Statements that run side by side, each in a process of its own. Default: 2 to 4, by the processors of the machine.
   */
  readonly poolSize?: number | undefined;
  /** How long a statement waits for a lock of another connection. Default: 5,000. */
  readonly busyTimeoutMs?: number | undefined;
  /** A worker process without work ends after this time. Default: 10,000. */
  readonly idleTimeoutMs?: number | undefined;
  /** A worker process that holds more memory is ended, and its statement fails. Default: 1 GiB. */
  readonly maxMemoryBytes?: number | undefined;
  /** All of `introspect` but the row counts. Default: 60,000. */
  readonly introspectTimeoutMs?: number | undefined;
  /**
   * Counting rows ends after this time; what is not counted then is estimated or left out. 0: no counting. Default:
   * 2,000.
   */
  readonly rowCountTimeoutMs?: number | undefined;
  /**
   * The program of the worker processes, `@askema/sqlite/worker`; only needed where a bundler has moved this module.
   */
  readonly workerPath?: string | URL | undefined;
}

/** All options with their defaults, and the file as an absolute path. */
export interface ResolvedOptions {
  readonly file: string;
  /** The file's name, to show. */
  readonly name: string;
  readonly access: Access;
  readonly poolSize: number;
  readonly busyTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly maxMemoryBytes: number;
  readonly introspectTimeoutMs: number;
  readonly rowCountTimeoutMs: number;
  readonly workerPath: string | URL | undefined;
}

const MEBIBYTE = 1024 * 1024;

/** The oldest major version of Node on which the driver's binary runs; on an older one it crashes. */
const OLDEST_NODE = 22;

/** @throws AskemaError `CONFIG_INVALID` */
export function resolveOptions(options: SqliteOptions, nodeVersion: string = process.versions.node): ResolvedOptions {
  if (Number.parseInt(nodeVersion, 10) < OLDEST_NODE)
    throw invalidOption(`This is Node ${nodeVersion}; the SQLite adapter needs Node ${OLDEST_NODE} or newer.`);
  const file = resolveFile(options.file);
  return {
    file,
    name: basename(file),
    access: checkAccess(options.access),
    poolSize: checkWhole('poolSize', options.poolSize ?? Math.min(4, Math.max(2, availableParallelism())), 1, 64),
    busyTimeoutMs: checkTimer('busyTimeoutMs', options.busyTimeoutMs ?? 5_000, 0),
    idleTimeoutMs: checkTimer('idleTimeoutMs', options.idleTimeoutMs ?? 10_000, 0),
    maxMemoryBytes: checkWhole(
      'maxMemoryBytes',
      options.maxMemoryBytes ?? 1024 * MEBIBYTE,
      128 * MEBIBYTE,
      2 ** 53 - 1,
    ),
    introspectTimeoutMs: checkTimer('introspectTimeoutMs', options.introspectTimeoutMs ?? 60_000),
    rowCountTimeoutMs: checkTimer('rowCountTimeoutMs', options.rowCountTimeoutMs ?? 2_000, 0),
    workerPath: options.workerPath,
  };
}

function resolveFile(file: string | URL): string {
  if (file instanceof URL) {
    if (file.protocol !== 'file:')
      throw invalidOption(`\`file\` is the address ${file.href}; this adapter opens local files.`);
    return fileURLToPath(file);
  }
  if (typeof file !== 'string' || file.trim() === '')
    throw invalidOption('`file` is empty; give the path of a SQLite database.');
  if (file.includes('\0')) throw invalidOption('`file` has a NUL character in it; give the path of a SQLite database.');
  if (file.trim() === ':memory:')
    throw invalidOption(
      '`file` is :memory:, and statements run in several processes, each of which would see an empty database of its own. Write the database to a file and give its path.',
    );
  if (/^(file|sqlite3?):/i.test(file))
    throw invalidOption(
      `\`file\` is the address ${file}; give the plain path, or a URL object for a \`file:\` address. Parameters such as ?mode=ro are not needed: reading is the default.`,
    );
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(file))
    throw invalidOption(`\`file\` is the address ${file}; this adapter opens local files by their path.`);
  return resolve(file);
}
