import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { addressOptions } from '@askema/adapter-kit';
import { type AddressRequest, AskemaError, invalidOption, type OpenAddress } from '@askema/core';
import type { PostgresOptions } from './options.ts';
import { postgres } from './postgres.ts';
import { readAddress, sslOfMode } from './read-address.ts';

const VARIABLES = {
  host: 'PGHOST',
  port: 'PGPORT',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  passwordFile: '~/.pgpass (host:port:database:user:password)',
};

/**
 * Opens `postgres://user@host:port/database`, `postgresql://…`, or `postgres:NAME` for a database on the server that
 * the variables of libpq name (PGHOST, PGPORT, PGUSER, PGDATABASE, PGSSLMODE, PGAPPNAME:
 * https://www.postgresql.org/docs/current/libpq-envars.html). The password comes from PGPASSWORD, from PGPASSFILE or
 * `~/.pgpass`, or is asked for; one within the address is refused, because addresses end up in histories and logs.
 */
export const openAddress: OpenAddress = async (address, request) => {
  const { environment } = request;
  const parts: PostgresOptions = /^postgres(ql)?:\/\//i.test(address)
    ? readAddress(address)
    : { database: shortName(address) };
  if (parts.user?.includes(':'))
    throw invalidOption(
      'The user in the address has a colon in it, behind which a password may stand. Leave the password out; a user whose name has a colon goes into PGUSER.',
    );
  const sslMode = environment.PGSSLMODE;
  const find = (options: PostgresOptions): Promise<string | undefined> => findPassword(options, request);
  const options = addressOptions(
    { ...parts, database: parts.database ?? environment.PGDATABASE },
    request,
    VARIABLES,
    find,
  );
  return postgres({
    ...options,
    database: options.database ?? options.user,
    ssl: parts.ssl ?? (sslMode === undefined ? undefined : sslOfMode(sslMode)),
    applicationName: parts.applicationName ?? environment.PGAPPNAME,
  });
};

function shortName(address: string): string | undefined {
  const name = /^postgres(?:ql)?:(.*)$/is.exec(address)?.[1];
  if (name === undefined)
    throw invalidOption(
      `${JSON.stringify(address)} is no address of PostgreSQL; an example: postgres://reader@db.example:5432/shop`,
    );
  if (/[@?]/.test(name))
    throw invalidOption(
      'Behind `postgres:` alone stands the name of a database. With a user, a host or parameters, the address begins with two slashes: postgres://reader@db.example:5432/shop',
    );
  return name === '' ? undefined : name;
}

/** Looked for when a connection is opened; the driver asks only where the server wants one. */
async function findPassword(
  options: PostgresOptions,
  { environment, askSecret }: AddressRequest,
): Promise<string | undefined> {
  const { host, port = 5432, user, database = user } = options;
  const fromFile = await readPasswordFile({ host, port, user, database }, environment);
  if (fromFile !== undefined || askSecret !== undefined) return fromFile;
  throw new AskemaError(
    'CONFIG_INVALID',
    `The server at ${host}:${port} asks for a password of ${user}: set PGPASSWORD, or write it into ~/.pgpass (host:port:database:user:password).`,
  );
}

/**
 * The password of libpq's file (https://www.postgresql.org/docs/current/libpq-pgpass.html): the first line
 * `host:port:database:user:password` whose fields are equal or `*`; `\` escapes `:` and itself. Undefined without a
 * file or a line that fits.
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
