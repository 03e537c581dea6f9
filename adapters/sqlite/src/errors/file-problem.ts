import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasEnding, listFiles, missingFileError } from '@askema/adapter-kit';
import { AskemaError } from '@askema/core';

/** Endings that database files usually have. */
const DATABASE_ENDINGS = ['.sqlite', '.sqlite3', '.db', '.db3'];

const isDatabase = (name: string): boolean => hasEnding(name, DATABASE_ENDINGS);

/** The error of a file that is not there, with the nearest file names of its folder. */
export function missingFile(file: string): Promise<AskemaError> {
  return missingFileError(file, 'database file', isDatabase);
}

/** The error of a path that is a directory, with the databases in it. */
export async function directoryProblem(file: string): Promise<AskemaError> {
  const { known = [] } = (await listFiles(file, isDatabase)) ?? {};
  const hint = known.length > 0 ? `Name one of the files in it: ${known.join(', ')}.` : 'Name a file.';
  return new AskemaError('DATABASE_INVALID', `${file} is a directory, not a SQLite database. ${hint}`);
}

/** The error of a file with no byte in it, or with one. */
export function emptyFile(file: string): AskemaError {
  return new AskemaError(
    'DATABASE_INVALID',
    `${file} is empty, or has a single byte: it has no tables to read. Check the path; an empty file is often left behind by a mistyped one.`,
  );
}

/** The name of the file as people see it; links are followed so that the real folder is named. */
export async function realFolder(file: string): Promise<string> {
  return dirname(await realpath(file).catch(() => file));
}
