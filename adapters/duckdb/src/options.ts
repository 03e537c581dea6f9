import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { type PoolOptions, type ResolvedPoolOptions, resolveLocalPath, resolvePoolOptions } from '@askema/adapter-kit';
import { checkWhole, invalidOption } from '@askema/core';

interface DuckdbSettings extends PoolOptions {
  /** What the adapter may be asked for at most; data files can only be read. Default: `read`. */
  readonly access?: PoolOptions['access'];
  /** Processors that all statements together may use. Default: as the machine has, at most 4. */
  readonly threads?: number | undefined;
  /** Memory for all statements together; what does not fit is written to temporary files. Default: 1 GiB. */
  readonly maxMemoryBytes?: number | undefined;
  /** Temporary files of all statements together; 0 for none. Default: 4 GiB. */
  readonly maxTempBytes?: number | undefined;
  /** The engine's process ends when nothing was asked for so long, and frees the lock of its file. Default: 10,000. */
  readonly idleTimeoutMs?: number | undefined;
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
export interface ResolvedOptions extends ResolvedPoolOptions {
  readonly place:
    | { readonly type: 'database'; readonly file: string }
    | { readonly type: 'files'; readonly paths: readonly string[] };
  /** To show. */
  readonly name: string;
  readonly threads: number;
  readonly maxMemoryBytes: number;
  readonly maxTempBytes: number;
  readonly workerPath: string | URL | undefined;
}

const MEBIBYTE = 1024 * 1024;

/** @throws AskemaError `CONFIG_INVALID` */
export function resolveOptions(options: DuckdbOptions): ResolvedOptions {
  const place = resolvePlace(options);
  const shared = resolvePoolOptions(options);
  if (shared.access === 'write' && place.type === 'files')
    throw invalidOption(
      "Data files can only be read, and `access` is 'write'. To change data, load the files into a DuckDB database and give it as `file`.",
    );
  return {
    place,
    name: nameOf(place),
    ...shared,
    threads: checkWhole('threads', options.threads ?? Math.min(4, availableParallelism()), 1, 1024),
    maxMemoryBytes: checkWhole('maxMemoryBytes', options.maxMemoryBytes ?? 1024 * MEBIBYTE, 64 * MEBIBYTE, 2 ** 53 - 1),
    maxTempBytes: checkWhole('maxTempBytes', options.maxTempBytes ?? 4096 * MEBIBYTE, 0, 2 ** 53 - 1),
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
  if (typeof path === 'string' && /^(md|motherduck):/i.test(path))
    throw invalidOption(`\`${option}\` names a database of MotherDuck; this adapter opens local files.`);
  return resolveLocalPath(path, option, 'a path');
}

function nameOf(place: ResolvedOptions['place']): string {
  if (place.type === 'database') return basename(place.file);
  const [first = '', ...others] = place.paths;
  const name = basename(first) || first;
  return others.length === 0 ? name : `${name} and ${others.length} more`;
}
