import { readdir } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AskemaError, didYouMean, invalidOption, nearestNames } from '@askema/core';

/** So many file names stand in a message. */
const LISTED_FILES = 5;

/**
 * An option that names a local file, as an absolute path.
 *
 * @param what "the path of a SQLite database", for messages.
 * @throws AskemaError `CONFIG_INVALID`
 */
export function resolveLocalPath(path: string | URL, option: string, what: string): string {
  if (path instanceof URL) {
    if (path.protocol !== 'file:')
      throw invalidOption(`\`${option}\` is the address ${path.href}; this adapter opens local files.`);
    return fileURLToPath(path);
  }
  if (typeof path !== 'string' || path.trim() === '') throw invalidOption(`\`${option}\` is empty; give ${what}.`);
  if (path.includes('\0')) throw invalidOption(`\`${option}\` has a NUL character in it; give ${what}.`);
  if (path.trim() === ':memory:')
    throw invalidOption(
      `\`${option}\` is :memory:, which would be an empty database of a process of its own. Write the database to a file and give its path.`,
    );
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path))
    throw invalidOption(`\`${option}\` is an address with a scheme; this adapter opens local files by their path.`);
  return resolve(path);
}

/** The names in a folder that say what they are, a few of them; undefined when it cannot be read. */
export async function listFiles(
  folder: string,
  isKnown: (name: string) => boolean,
): Promise<{ readonly names: readonly string[]; readonly known: readonly string[] } | undefined> {
  try {
    const names = await readdir(folder);
    return { names, known: names.filter(isKnown).slice(0, LISTED_FILES) };
  } catch {
    return undefined;
  }
}

/** Whether a name ends in one of these endings (`.db`), in either case. */
export function hasEnding(name: string, endings: readonly string[]): boolean {
  return endings.includes(extname(name).toLowerCase());
}

/**
 * `DATABASE_NOT_FOUND`: a path that is not there, with the nearest names of its folder, else with what is there.
 *
 * @param what "database file", for messages.
 * @param isKnown names that could be meant.
 */
export async function missingFileError(
  path: string,
  what: string,
  isKnown: (name: string) => boolean,
): Promise<AskemaError> {
  const folder = dirname(path);
  const found = await listFiles(folder, isKnown);
  if (found === undefined)
    return new AskemaError(
      'DATABASE_NOT_FOUND',
      `There is no ${what} ${path}: its folder ${folder} does not exist or cannot be read. Check the path.`,
    );
  const { names, known } = found;
  const nearest = nearestNames(basename(path), names);
  const there =
    known.length > 0
      ? `In that folder there are: ${known.join(', ')}.`
      : 'Check the path; this adapter creates no files.';
  const hint = nearest.length > 0 ? didYouMean(basename(path), names) : there;
  return new AskemaError('DATABASE_NOT_FOUND', `There is no ${what} ${path}. ${hint}`, {
    details: { nearestNames: nearest },
  });
}

/** `DATABASE_UNAVAILABLE`: a file or folder that the file system does not let this user read. */
export function unreadableFileError(path: string, thrown: unknown): AskemaError {
  const { code, message } = thrown as NodeJS.ErrnoException;
  return new AskemaError(
    'DATABASE_UNAVAILABLE',
    code === 'EACCES' || code === 'EPERM'
      ? `There is no permission to read ${path}. Grant this user read access to it and its folders.`
      : `${path} cannot be read (${code ?? message}).`,
    { cause: thrown },
  );
}
