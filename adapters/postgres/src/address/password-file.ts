import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { invalidOption } from '@askema/core';
import type { PostgresOptions } from '../options.ts';

/**
 * The password of libpq's file (https://www.postgresql.org/docs/current/libpq-pgpass.html): the first line `host:port:database:user:password`
 * whose fields are equal or `*`; `\` escapes `:` and itself. Undefined without a file or a line that fits.
 *
 * Rejects with `CONFIG_INVALID` for a file that others may read, as libpq ignores it.
 */
export async function readPasswordFile(
  { host, port, database, user }: PostgresOptions,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const file = environment.PGPASSFILE ?? join(environment.HOME ?? homedir(), '.pgpass');
  let text: string;
  try {
    const { mode } = await stat(file);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw invalidOption(`The password file ${file} may be read by others; run: chmod 600 ${file}`);
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'ENOENT') return undefined;
    throw error;
  }
  // A socket's folder counts as this machine.
  const wanted = [host?.startsWith('/') ? 'localhost' : host, String(port), database, user];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const fields = fieldsOf(line);
    if (fields.length === 5 && wanted.every((value, index) => fields[index] === '*' || fields[index] === value))
      return fields[4];
  }
  return undefined;
}

function fieldsOf(line: string): string[] {
  const fields: string[] = [];
  let field = '';
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? '';
    if (character === ':' && fields.length < 4) {
      fields.push(field);
      field = '';
    } else {
      if (character === '\\') at += 1;
      field += line[at] ?? '';
    }
  }
  return [...fields, field];
}
