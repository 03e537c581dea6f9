import { type AddressRequest, AskemaError, invalidOption, type OpenAddress } from '@askema/core';
import type { PostgresOptions } from '../options.ts';
import { postgres } from '../postgres.ts';
import { readPasswordFile } from './password-file.ts';
import { readAddress, sslOfMode } from './read-address.ts';

/**
 * Opens `postgres://user@host:port/database`, `postgresql://…`, or `postgres:NAME` for a database on the server that the variables of libpq name
 * (PGHOST, PGPORT, PGUSER, PGDATABASE, PGSSLMODE, PGAPPNAME: https://www.postgresql.org/docs/current/libpq-envars.html). The password comes from
 * PGPASSWORD, from PGPASSFILE or `~/.pgpass`, or is asked for; one within the address is refused, because addresses end up in histories and logs.
 */
export const openAddress: OpenAddress = async (address, request) => {
  const { environment } = request;
  const parts = /^postgres(ql)?:\/\//i.test(address) ? readAddress(address) : { database: shortName(address) };
  if ('password' in parts && parts.password !== undefined)
    throw invalidOption(
      'The address has a password in it, which would end up in histories and logs. Leave it out, and set PGPASSWORD, or write it into ~/.pgpass (host:port:database:user:password).',
    );
  const port = parts.port ?? numberOf(environment.PGPORT);
  const sslMode = environment.PGSSLMODE;
  const user = parts.user ?? environment.PGUSER ?? environment.USER ?? environment.USERNAME;
  const options: PostgresOptions = {
    host: parts.host ?? environment.PGHOST ?? 'localhost',
    port: port ?? 5432,
    user,
    database: parts.database ?? environment.PGDATABASE ?? user,
    ssl: parts.ssl ?? (sslMode === undefined ? undefined : sslOfMode(sslMode)),
    applicationName: parts.applicationName ?? environment.PGAPPNAME,
    access: request.access,
  };
  return postgres({ ...options, password: passwordOf(options, request) });
};

function shortName(address: string): string | undefined {
  const name = /^postgres(?:ql)?:(.*)$/is.exec(address)?.[1];
  if (name === undefined)
    throw invalidOption(
      `${JSON.stringify(address)} is no address of PostgreSQL; an example: postgres://reader@db.example:5432/shop`,
    );
  return name === '' ? undefined : name;
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined || text === '' ? undefined : Number(text);
}

/** Looked for when a connection is opened, once; the driver asks only where the server wants one. */
function passwordOf(options: PostgresOptions, request: AddressRequest): () => Promise<string> {
  let found: Promise<string> | undefined;
  return () => {
    found ??= findPassword(options, request);
    return found;
  };
}

async function findPassword(options: PostgresOptions, { environment, askSecret }: AddressRequest): Promise<string> {
  if (environment.PGPASSWORD !== undefined) return environment.PGPASSWORD;
  const fromFile = await readPasswordFile(options, environment);
  if (fromFile !== undefined) return fromFile;
  if (askSecret !== undefined) return askSecret(`Password of ${options.user} at ${options.host}`);
  throw new AskemaError(
    'CONFIG_INVALID',
    `The server at ${options.host}:${options.port} asks for a password of ${options.user}: set PGPASSWORD, or write it into ~/.pgpass (host:port:database:user:password).`,
  );
}
