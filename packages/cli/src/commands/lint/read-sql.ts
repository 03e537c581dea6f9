import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AskemaError } from '@askema/core';
import { readAll } from '../../flags/read-input.ts';
import type { Host } from '../../process/host.ts';

/** SQL to look at, and what it is called in messages. */
export interface SqlSource {
  readonly text: string;
  /** The name of the file; `sql` for an argument, `stdin` for a pipe. */
  readonly name: string;
  /** Undefined for an argument or a pipe. */
  readonly file: string | undefined;
}

/** More than any script of queries needs; keeps a wrong file from filling the memory. */
const MAX_SQL_BYTES = 5_000_000;

/**
 * The SQL of the argument, of `--file`, or of stdin (for `-`, and where nothing is given and stdin is no terminal).
 *
 * @throws AskemaError `INPUT_INVALID` when there is none, when two places are named, or when the file cannot be read.
 */
export async function readSql(words: readonly string[], file: string | undefined, host: Host): Promise<SqlSource> {
  if (file !== undefined && words.length > 0)
    throw new AskemaError('INPUT_INVALID', 'The SQL stands in the argument and in --file; give one of them.');
  if (file !== undefined) return { text: checked(await readSqlFile(file, host.cwd)), name: file, file };
  const given = words.join(' ');
  if (given !== '' && given !== '-') return { text: checked(given), name: 'sql', file: undefined };
  if (given === '' && host.stdin.isTTY === true) throw missing();
  return { text: checked(await readAll(host.stdin, 'SQL')), name: 'stdin', file: undefined };
}

function checked(text: string): string {
  if (text.trim() === '') throw missing();
  return text;
}

function missing(): AskemaError {
  return new AskemaError(
    'INPUT_INVALID',
    'SQL is missing: askema lint DATABASE "SELECT …", or --file FILE, or a statement on stdin.',
  );
}

async function readSqlFile(file: string, cwd: string): Promise<string> {
  try {
    const path = resolve(cwd, file);
    if ((await stat(path)).size > MAX_SQL_BYTES) throw new Error(`it is longer than ${MAX_SQL_BYTES / 1_000_000} MB`);
    const content = await readFile(path);
    if (content.includes(0)) throw new Error('it is no text');
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch (error) {
    throw new AskemaError('INPUT_INVALID', `--file ${file} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/**
 * Puts the text in place of the file's; a crash leaves the old one or the new one, never half of it.
 *
 * @throws AskemaError `INPUT_INVALID` when it cannot be written.
 */
export async function writeSqlFile(file: string, text: string, cwd: string): Promise<void> {
  const path = resolve(cwd, file);
  const beside = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(beside, text, { mode: (await stat(path)).mode });
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw new AskemaError('INPUT_INVALID', `${file} cannot be written: ${(error as Error).message}`, { cause: error });
  }
}
