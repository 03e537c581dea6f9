import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, resolve } from 'node:path';
import { AskemaError, type OpenAddress } from '@askema/core';
import { type DuckdbAdapterSpec, duckdb } from './duckdb.ts';
import { fileKind } from './files/file-kind.ts';
import { missingPath } from './files/file-problem.ts';
import { findSource } from './files/find-source.ts';

/**
 * Opens `duckdb:path`, or a plain path: of a database (`.duckdb`, `.ddb`, `.db`), a data file (`.parquet`, `.csv`,
 * `.tsv`, `.json`, `.ndjson`, `.jsonl`, those of texts also with `.gz` or `.zst`), or a folder of data files. Relative
 * paths are meant from `request.folder`, `~/` from the home folder. The path is looked at; nothing is started yet.
 */
export const openAddress: OpenAddress = async (address, { access, folder }): Promise<DuckdbAdapterSpec> => {
  const path = pathOf(address, folder);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) throw await missingPath(path, found);
  const isData = found.isDirectory() || fileKind(basename(path)) !== undefined;
  const options = isData ? { files: path, access } : { file: path, access };
  // Says what is wrong before a question is asked of it.
  await findSource({ place: isData ? { type: 'files', paths: [path] } : { type: 'database', file: path } });
  return duckdb(options);
};

function pathOf(address: string, folder: string): string {
  const example = 'Write duckdb:sales.duckdb, or the path of a database, a data file or a folder: ./sales.parquet';
  // `duckdb:///data/x.duckdb`, `duckdb:data/x.duckdb`, `duckdb:/data/x.duckdb`.
  const text = address
    .trim()
    .replace(/^duckdb:/i, '')
    .replace(/^\/\/(?=\/)/, '');
  if (text === '') throw new AskemaError('CONFIG_INVALID', `The address ${address} names no file. ${example}`);
  if (text.startsWith('//'))
    throw new AskemaError(
      'CONFIG_INVALID',
      `The address ${address} names a host, and DuckDB databases are files. ${example}`,
    );
  if (/^(md|motherduck):/i.test(text) || text === ':memory:' || /^[a-z][a-z0-9+.-]+:\/\//i.test(text))
    throw new AskemaError('CONFIG_INVALID', `The address ${address.split('?')[0]} is no local file. ${example}`);
  if (text.startsWith('~/')) return resolve(homedir(), text.slice(2));
  return resolve(folder, text);
}
