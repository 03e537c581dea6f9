import { basename } from 'node:path';
import { hasEnding, listFiles, missingFileError, unreadableFileError } from '@askema/adapter-kit';
import { AskemaError } from '@askema/core';
import type { FileContent } from '../protocol.ts';
import { DATABASE_ENDINGS, fileKind } from './file-kind.ts';

const isDatabase = (name: string): boolean => hasEnding(name, DATABASE_ENDINGS);

/** The error of a path that is not there or cannot be looked at, with the nearest names of its folder. */
export async function missingPath(path: string, error: NodeJS.ErrnoException): Promise<AskemaError> {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') return unreadableFileError(path, error);
  return missingFileError(path, 'file or folder', (name) => fileKind(name) !== undefined || isDatabase(name));
}

/** The error of a folder that was given where a database must stand. */
export async function directoryProblem(path: string): Promise<AskemaError> {
  const { names = [], known: databases = [] } = (await listFiles(path, isDatabase)) ?? {};
  const hint = names.some((name) => fileKind(name) !== undefined)
    ? `There are data files in it: open it with \`duckdb({ files: ${JSON.stringify(path)} })\`.`
    : databases.length > 0
      ? `Name one of the files in it: ${databases.join(', ')}.`
      : 'Name a file.';
  return new AskemaError('DATABASE_INVALID', `${path} is a directory, not a DuckDB database. ${hint}`);
}

/** The error of a file whose content is of another kind than its place asks for. */
export function wrongKind(path: string, content: FileContent): AskemaError {
  const text = JSON.stringify(path);
  switch (content) {
    case 'sqlite':
      return new AskemaError(
        'DATABASE_INVALID',
        `${path} is a SQLite database. Open it with the SQLite adapter: \`sqlite({ file: ${text} })\` of @askema/sqlite.`,
      );
    case 'duckdb':
      return new AskemaError(
        'DATABASE_INVALID',
        `${path} is a DuckDB database, not a data file. Open it with \`duckdb({ file: ${text} })\`.`,
      );
    case 'parquet':
      return new AskemaError(
        'DATABASE_INVALID',
        `${path} is a Parquet file, not a DuckDB database. ${
          fileKind(basename(path)) === undefined ? 'Let its name end in .parquet, and open it' : 'Open it'
        } with \`duckdb({ files: ${text} })\`.`,
      );
    case 'empty':
      return emptyFile(path);
    case 'other':
      return new AskemaError(
        'DATABASE_INVALID',
        fileKind(basename(path)) === undefined
          ? `${path} is neither a DuckDB database nor a data file whose name this adapter knows: .parquet, .csv, .tsv, .json, .ndjson, .jsonl, those of texts also with .gz or .zst.`
          : `${path} is no DuckDB database. Open it as a data file: \`duckdb({ files: ${text} })\`.`,
      );
  }
}

/** The error of a file without a byte in it. */
export function emptyFile(path: string): AskemaError {
  return new AskemaError(
    'DATABASE_INVALID',
    `${path} is empty: there is nothing to read. Check the path; an empty file is often left behind by a program that failed.`,
  );
}

/** What is wrong with a path in which DuckDB would see a pattern. */
export const HAS_PATTERN =
  'it has one of the characters * ? [ ] in its name or in that of a folder, which DuckDB takes for a pattern of many files';

/** The error of a path in which DuckDB would see a pattern. */
export function unreadableName(path: string): AskemaError {
  return new AskemaError(
    'DATABASE_INVALID',
    `${path} has one of the characters * ? [ ] in it, which DuckDB takes for a pattern of many files. Rename the file or its folder.`,
  );
}
