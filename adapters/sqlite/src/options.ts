import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { type PoolOptions, type ResolvedPoolOptions, resolveLocalPath, resolvePoolOptions } from '@askema/adapter-kit';
import { checkTimer, checkWhole, invalidOption } from '@askema/core';
import type { StartedDriver } from '@askema/core/node';

/** Options of {@link sqlite}. */
export interface SqliteOptions extends PoolOptions {
  /** The database file. It must exist; the adapter creates none. */
  readonly file: string | URL;
  /**
   * Statements that run side by side, each in a process of its own. Default: 2 to 4, by the processors of the machine.
   */
  readonly poolSize?: number | undefined;
  /** How long a statement waits for a lock of another connection. Default: 5,000. */
  readonly busyTimeoutMs?: number | undefined;
  /** A worker process that holds more memory is ended, and its statement fails. Default: 1 GiB. */
  readonly maxMemoryBytes?: number | undefined;
  /**
   * The program of the worker processes, `@askema/sqlite/worker`; only needed where a bundler has moved this module.
   */
  readonly workerPath?: string | URL | undefined;
  /** A worker that `startWorker` of `@askema/sqlite/start` has started ahead: it becomes the first one. */
  readonly worker?: StartedDriver | undefined;
}

/** All options with their defaults, and the file as an absolute path. */
export interface ResolvedOptions extends ResolvedPoolOptions {
  readonly file: string;
  /** The file's name, to show. */
  readonly name: string;
  readonly busyTimeoutMs: number;
  readonly maxMemoryBytes: number;
  readonly workerPath: string | URL | undefined;
  readonly worker: StartedDriver | undefined;
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
    ...resolvePoolOptions({
      ...options,
      poolSize: options.poolSize ?? Math.min(4, Math.max(2, availableParallelism())),
    }),
    busyTimeoutMs: checkTimer('busyTimeoutMs', options.busyTimeoutMs ?? 5_000, 0),
    maxMemoryBytes: checkWhole(
      'maxMemoryBytes',
      options.maxMemoryBytes ?? 1024 * MEBIBYTE,
      128 * MEBIBYTE,
      2 ** 53 - 1,
    ),
    workerPath: options.workerPath,
    worker: options.worker,
  };
}

function resolveFile(file: string | URL): string {
  if (typeof file === 'string' && /^(file|sqlite3?):/i.test(file))
    throw invalidOption(
      `\`file\` is the address ${file}; give the plain path, or a URL object for a \`file:\` address. Parameters such as ?mode=ro are not needed: reading is the default.`,
    );
  return resolveLocalPath(file, 'file', 'the path of a SQLite database');
}
