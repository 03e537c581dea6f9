import { availableParallelism } from 'node:os';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Access, checkAccess, checkTimer, checkWhole, invalidOption } from '@askema/core';

interface DuckdbSettings {
  /** What the adapter may be asked for at most; data files can only be read. Default: `read`. */
  readonly access?: Access | undefined;
  /** Statements that run side by side. Default: 4. */
  readonly poolSize?: number | undefined;
  /** Processors that all statements together may use. Default: as the machine has, at most 4. */
  readonly threads?: number | undefined;
  /** Memory for all statements together; what does not fit is written to temporary files. Default: 1 GiB. */
  readonly maxMemoryBytes?: number | undefined;
  /** Temporary files of all statements together; 0 for none. Default: 4 GiB. */
  readonly maxTempBytes?: number | undefined;
  /** The engine's process ends when nothing was asked for so long, and frees the lock of its file. Default: 10,000. */
  readonly idleTimeoutMs?: number | undefined;
  /** All of `introspect` but the row counts. Default: 60,000. */
  readonly introspectTimeoutMs?: number | undefined;
  /**
   * Counting rows ends after this time; what is not counted then is estimated or left out. 0: no counting. Default:
   * 2,000.
   */
  readonly rowCountTimeoutMs?: number | undefined;
  /**
   * The program of the engine's process, `@askema/duckdb/worker`; only needed where a bundler has moved this module.
   */
  readonly workerPath?: string | URL | undefined;
}

/** Options of {@link duckdb}: a database, or data files. */
export type DuckdbOptions = DuckdbSettings &
  (
    | {
        /** A DuckDB database. It must exist; the adapter creates none. */
        readonly file: string | URL;
        readonly files?: undefined;
      }
    | {
        /** Parquet, CSV, TSV and JSON files, and folders of them; each becomes a relation that is named after it. */
        readonly files: string | URL | readonly (string | URL)[];
        readonly file?: undefined;
      }
  );

/** All options with their defaults, and paths as absolute ones. */
export interface ResolvedOptions {
  readonly place:
    | { readonly type: 'database'; readonly file: string }
    | { readonly type: 'files'; readonly paths: readonly string[] };
  /** To show. */
  readonly name: string;
  readonly access: Access;
  readonly poolSize: number;
  readonly threads: number;
  readonly maxMemoryBytes: number;
  readonly maxTempBytes: number;
  readonly idleTimeoutMs: number;
  readonly introspectTimeoutMs: number;
  readonly rowCountTimeoutMs: number;
  readonly workerPath: string | URL | undefined;
}

const MEBIBYTE = 1024 * 1024;

/** @throws AskemaError `CONFIG_INVALID` */
export function resolveOptions(options: DuckdbOptions): ResolvedOptions {
  const place = resolvePlace(options);
  const access = checkAccess(options.access);
  if (access === 'write' && place.type === 'files')
    throw invalidOption(
      "Data files can only be read, and `access` is 'write'. To change data, load the files into a DuckDB database and give it as `file`.",
    );
  return {
    place,
    name: nameOf(place),
    access,
    poolSize: checkWhole('poolSize', options.poolSize ?? 4, 1, 64),
    threads: checkWhole('threads', options.threads ?? Math.min(4, availableParallelism()), 1, 1024),
    maxMemoryBytes: checkWhole('maxMemoryBytes', options.maxMemoryBytes ?? 1024 * MEBIBYTE, 64 * MEBIBYTE, 2 ** 53 - 1),
    maxTempBytes: checkWhole('maxTempBytes', options.maxTempBytes ?? 4096 * MEBIBYTE, 0, 2 ** 53 - 1),
    idleTimeoutMs: checkTimer('idleTimeoutMs', options.idleTimeoutMs ?? 10_000, 0),
    introspectTimeoutMs: checkTimer('introspectTimeoutMs', options.introspectTimeoutMs ?? 60_000),
    rowCountTimeoutMs: checkTimer('rowCountTimeoutMs', options.rowCountTimeoutMs ?? 2_000, 0),
    workerPath: options.workerPath,
  };
}

function resolvePlace({ file, files }: DuckdbOptions): ResolvedOptions['place'] {
  if (file !== undefined && files !== undefined)
    throw invalidOption(
      'Both `file` and `files` are given: give a DuckDB database as `file`, or data files as `files`.',
    );
  if (file !== undefined) return { type: 'database', file: resolvePath(file, 'file') };
  if (files === undefined)
    throw invalidOption(
      'Neither `file` nor `files` is given: give a DuckDB database as `file`, or data files as `files`.',
    );
  const paths = (typeof files === 'string' || files instanceof URL ? [files] : files).map((path) =>
    resolvePath(path, 'files'),
  );
  if (paths.length === 0) throw invalidOption('`files` is an empty list; give at least one file or folder.');
  return { type: 'files', paths: [...new Set(paths)] };
}

function resolvePath(path: string | URL, option: string): string {
  if (path instanceof URL) {
    if (path.protocol !== 'file:')
      throw invalidOption(`\`${option}\` is the address ${path.href}; this adapter opens local files.`);
    return fileURLToPath(path);
  }
  if (typeof path !== 'string' || path.trim() === '') throw invalidOption(`\`${option}\` is empty; give a path.`);
  if (path.includes('\0')) throw invalidOption(`\`${option}\` has a NUL character in it; give a path.`);
  if (path.trim() === ':memory:')
    throw invalidOption(
      `\`${option}\` is :memory:, which would be an empty database of the engine's own process. Give the path of a file.`,
    );
  if (/^(md|motherduck):/i.test(path))
    throw invalidOption(`\`${option}\` names a database of MotherDuck; this adapter opens local files.`);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path))
    throw invalidOption(`\`${option}\` is an address with a scheme; this adapter opens local files by their path.`);
  return resolve(path);
}

function nameOf(place: ResolvedOptions['place']): string {
  if (place.type === 'database') return basename(place.file);
  const [first = '', ...others] = place.paths;
  const name = basename(first) || first;
  return others.length === 0 ? name : `${name} and ${others.length} more`;
}
