import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type AddressRequest,
  type AskemaError,
  decodePart,
  didYouMean,
  invalidOption,
  type OpenAddress,
} from '@askema/core';
import { readConnection } from '../login/connection-file.ts';
import { snowflake } from '../snowflake.ts';
import type { SnowflakeOptions } from '../snowflake-options.ts';

const EXAMPLE = 'snowflake://organization-account/DATABASE/SCHEMA?warehouse=COMPUTE_WH&role=READER';

/**
 * Opens `snowflake://[user@]account/database/schema?warehouse=…&role=…&connection=…`. Further parameters: `user`, `authenticator`, `host`, `port`,
 * `protocol`. With `connection`, the rest may be left out: `snowflake:?connection=dev`. What the address leaves open comes from that connection,
 * then from `SNOWFLAKE_USER`, `SNOWFLAKE_WAREHOUSE` and the like; secrets from `SNOWFLAKE_PASSWORD`, `SNOWFLAKE_TOKEN`,
 * `SNOWFLAKE_PRIVATE_KEY_PATH` with `PRIVATE_KEY_PASSPHRASE`, or from a person.
 */
export const openAddress: OpenAddress = async (address, request) => {
  const fromAddress = readAddress(address);
  const { connection, ...rest } = fromAddress;
  const named = connection === undefined ? {} : readConnection(connection, request.environment);
  const options = fillIn({ ...named, ...rest }, request);
  return snowflake({
    ...(await withSecret(options, request)),
    access: request.access,
    allowFunctions: request.allowFunctions,
  });
};

/** Names of parameters that may stand in an address. */
const PARAMETERS = ['warehouse', 'role', 'connection', 'user', 'authenticator', 'host', 'port', 'protocol'] as const;

/** The options that an address names. @throws AskemaError `CONFIG_INVALID`, without repeating what may be a secret. */
export function readAddress(address: string): SnowflakeOptions {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || url.protocol !== 'snowflake:')
    throw invalidOption(`The address cannot be read; it looks like ${EXAMPLE}`);
  if (url.password !== '') throw secretInside('a password');
  const options: Record<string, string | number> = {};
  const [, database, schema, ...more] = url.pathname.split('/').map(decode);
  if (more.some((part) => part !== ''))
    throw invalidOption(`The address has more parts than account, database and schema; it looks like ${EXAMPLE}`);
  if (url.hostname !== '') options.account = decode(url.hostname);
  if (url.port !== '') throw invalidOption(`An account has no port; for a stand-in, add ?host=…&port=…&protocol=http`);
  if (url.username !== '') options.user = decode(url.username);
  if (database !== undefined && database !== '') options.database = database;
  if (schema !== undefined && schema !== '') options.schema = schema;
  for (const [name, value] of url.searchParams) {
    if (/pass|token|secret|private_?key/i.test(name)) throw secretInside(`\`${name}\``);
    if (!(PARAMETERS as readonly string[]).includes(name))
      throw invalidOption(
        `The address has the unknown parameter \`${name}\`. ${didYouMean(name, PARAMETERS) || `Known: ${PARAMETERS.join(', ')}.`}`,
      );
    if (value !== '') options[name] = name === 'port' ? Number(value) : value;
  }
  return options as SnowflakeOptions;
}

/** What the vendor's own tools take from the environment, last of all. */
const ENVIRONMENT: readonly (readonly [keyof SnowflakeOptions, string])[] = [
  ['account', 'SNOWFLAKE_ACCOUNT'],
  ['user', 'SNOWFLAKE_USER'],
  ['database', 'SNOWFLAKE_DATABASE'],
  ['warehouse', 'SNOWFLAKE_WAREHOUSE'],
  ['role', 'SNOWFLAKE_ROLE'],
];

const SECRETS: readonly (readonly [keyof SnowflakeOptions, string])[] = [
  ['privateKeyPath', 'SNOWFLAKE_PRIVATE_KEY_PATH'],
  ['privateKeyPath', 'SNOWFLAKE_PRIVATE_KEY_FILE'],
  ['privateKey', 'SNOWFLAKE_PRIVATE_KEY_RAW'],
  ['token', 'SNOWFLAKE_TOKEN'],
  ['password', 'SNOWFLAKE_PASSWORD'],
];

type Writable = { -readonly [Key in keyof SnowflakeOptions]: SnowflakeOptions[Key] };

function fillIn(given: SnowflakeOptions, { environment, folder }: AddressRequest): SnowflakeOptions {
  const options: Writable = { ...given };
  const take = (name: keyof SnowflakeOptions, variable: string): void => {
    const value = environment[variable];
    if (options[name] === undefined && value !== undefined && value !== '') Object.assign(options, { [name]: value });
  };
  for (const [name, variable] of ENVIRONMENT) if (name !== 'account' || given.host === undefined) take(name, variable);
  if (options.database !== undefined) take('schema', 'SNOWFLAKE_SCHEMA');
  const isBrowser = options.authenticator?.toUpperCase() === 'EXTERNALBROWSER';
  if (!hasSecret(options) && !isBrowser) {
    take('authenticator', 'SNOWFLAKE_AUTHENTICATOR');
    for (const [name, variable] of SECRETS) {
      take(name, variable);
      if (hasSecret(options)) break;
    }
  }
  if (options.password !== undefined) take('passcode', 'SNOWFLAKE_MFA_PASSCODE');
  if (options.privateKey !== undefined || options.privateKeyPath !== undefined) {
    take('privateKeyPassphrase', 'SNOWFLAKE_PRIVATE_KEY_PASSPHRASE');
    take('privateKeyPassphrase', 'PRIVATE_KEY_PASSPHRASE');
  }
  if (options.privateKeyPath !== undefined) options.privateKeyPath = resolve(folder, options.privateKeyPath);
  return options;
}

function hasSecret({ password, token, privateKey, privateKeyPath }: SnowflakeOptions): boolean {
  return [password, token, privateKey, privateKeyPath].some((secret) => secret !== undefined);
}

/** Ways to log in that ask for no secret here. */
const WITHOUT_SECRET = /^(EXTERNALBROWSER|OAUTH_AUTHORIZATION_CODE|OAUTH_CLIENT_CREDENTIALS|WORKLOAD_IDENTITY)$/i;

async function withSecret(options: SnowflakeOptions, { askSecret }: AddressRequest): Promise<SnowflakeOptions> {
  const { user, account, authenticator } = options;
  if (isLocked(options) && options.privateKeyPassphrase === undefined && askSecret !== undefined)
    return { ...options, privateKeyPassphrase: await askSecret('Passphrase of the private key') };
  if (hasSecret(options) || WITHOUT_SECRET.test(authenticator ?? '')) return options;
  if (user === undefined)
    throw invalidOption(
      'Nobody is named to log in as: set SNOWFLAKE_USER, write snowflake://user@account/…, or name a ?connection=….',
    );
  if (askSecret === undefined)
    throw invalidOption(
      `There is no secret to log in with as ${user}: set SNOWFLAKE_PASSWORD, SNOWFLAKE_TOKEN or SNOWFLAKE_PRIVATE_KEY_PATH, name a ?connection=…, or write ?authenticator=EXTERNALBROWSER.`,
    );
  return { ...options, password: await askSecret(`Password of ${user} at the Snowflake account ${account ?? ''}`) };
}

/** A private key that wants a passphrase. */
function isLocked({ privateKey, privateKeyPath }: SnowflakeOptions): boolean {
  if (privateKey !== undefined) return privateKey.includes('BEGIN ENCRYPTED');
  if (privateKeyPath === undefined) return false;
  try {
    return readFileSync(privateKeyPath, 'utf8').includes('BEGIN ENCRYPTED');
  } catch {
    throw invalidOption(`The private key ${privateKeyPath} cannot be read. Check SNOWFLAKE_PRIVATE_KEY_PATH.`);
  }
}

function decode(part: string): string {
  return decodePart(part, EXAMPLE);
}

function secretInside(what: string): AskemaError {
  return invalidOption(
    `The address has ${what} in it, where shells and logs keep it. Set SNOWFLAKE_PASSWORD, SNOWFLAKE_TOKEN or SNOWFLAKE_PRIVATE_KEY_PATH instead, or name a ?connection=….`,
  );
}
