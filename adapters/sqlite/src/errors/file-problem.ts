import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, extname } from 'node:path';
import { AskemaError, didYouMean, nearestNames } from '@askema/core';

/** Endings that database files usually have. */
const DATABASE_ENDINGS = ['.sqlite', '.sqlite3', '.db', '.db3'];

const LISTED_FILES = 5;

/** The error of a file that is not there, with the nearest file names of its folder. */
export async function missingFile(file: string): Promise<AskemaError> {
  const folder = dirname(file);
  const names = await list(folder);
  if (names === undefined)
    return new AskemaError(
      'DATABASE_NOT_FOUND',
      `There is no database file ${file}: its folder ${folder} does not exist or cannot be read. Check the path.`,
    );
  const nearest = nearestNames(basename(file), names);
  const databases = names.filter(looksLikeDatabase).slice(0, LISTED_FILES);
  const hint =
    nearest.length > 0
      ? didYouMean(basename(file), names)
      : databases.length > 0
        ? `Databases in that folder: ${databases.join(', ')}.`
        : 'Check the path; this adapter creates no database files.';
  return new AskemaError('DATABASE_NOT_FOUND', `There is no database file ${file}. ${hint}`, {
    details: { nearestNames: nearest },
  });
}

/** The error of a path that is a directory, with the databases in it. */
export async function directoryProblem(file: string): Promise<AskemaError> {
  const databases = ((await list(file)) ?? []).filter(looksLikeDatabase).slice(0, LISTED_FILES);
  const hint = databases.length > 0 ? `Name one of the files in it: ${databases.join(', ')}.` : 'Name a file.';
  return new AskemaError('DATABASE_INVALID', `${file} is a directory, not a SQLite database. ${hint}`);
}

/** The error of a file without a byte in it. */
export function emptyFile(file: string): AskemaError {
  return new AskemaError(
    'DATABASE_INVALID',
    `${file} is empty: it has no tables to read. Check the path; an empty file is often left behind by a mistyped one.`,
  );
}

/** The name of the file as people see it; links are followed so that the real folder is named. */
export async function realFolder(file: string): Promise<string> {
  return dirname(await realpath(file).catch(() => file));
}

function looksLikeDatabase(name: string): boolean {
  return DATABASE_ENDINGS.includes(extname(name).toLowerCase());
}

async function list(folder: string): Promise<string[] | undefined> {
  try {
    return await readdir(folder);
  } catch {
    return undefined;
  }
}
