import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir, platform } from 'node:os';
import { join } from 'node:path';
import { AskemaError, didYouMean, invalidOption } from '@askema/core';
import { parse } from 'smol-toml';
import type { SnowflakeOptions } from '../snowflake-options.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Table = Readonly<Record<string, unknown>>;

/**
 * The options of a named connection, from where Snowflake's own tools keep them
 * (https://docs.snowflake.com/en/developer-guide/snowflake-cli/connecting/configure-connections): `connections.toml`, where each table is a
 * connection, wins over `[connections.…]` in `config.toml`. `SNOWFLAKE_CONNECTIONS_<NAME>_<KEY>` in the environment wins over a key.
 *
 * @throws AskemaError `DATABASE_NOT_FOUND` without such a file, `CONFIG_INVALID` for an unknown name, a file that is no TOML, or one that others
 * can open.
 */
export function readConnection(name: string, environment: Environment): SnowflakeOptions {
  const folder = connectionFolder(environment);
  const file = [join(folder, 'connections.toml'), join(folder, 'config.toml')].find((path) => existsSync(path));
  if (file === undefined)
    throw new AskemaError(
      'DATABASE_NOT_FOUND',
      `There is no connections.toml or config.toml in ${folder}, so there is no connection ${JSON.stringify(name)}. Write one, point SNOWFLAKE_HOME at its folder, or give account and user as options.`,
    );
  checkPermissions(file, environment);
  const connections = tablesOf(file);
  const table = Object.hasOwn(connections, name) ? connections[name] : undefined;
  if (!isTable(table)) {
    const names = Object.keys(connections).filter((key) => isTable(connections[key]));
    throw invalidOption(
      `${file} has no connection ${JSON.stringify(name)}. ${didYouMean(name, names) || listed(names)}`,
    );
  }
  return toOptions(withEnvironment(table, name, environment), file);
}

/** `$SNOWFLAKE_HOME`, or `~/.snowflake` where it is there, or what the system has for settings. */
export function connectionFolder(environment: Environment): string {
  const given = environment.SNOWFLAKE_HOME;
  if (given !== undefined && given !== '') return given.replace(/^~(?=$|[/\\])/, homeOf(environment));
  const home = homeOf(environment);
  const usual = join(home, '.snowflake');
  if (existsSync(usual)) return usual;
  switch (platform()) {
    case 'darwin':
      return join(home, 'Library', 'Application Support', 'snowflake');
    case 'win32':
      return join(home, 'AppData', 'Local', 'snowflake');
    default:
      return join(environment.XDG_CONFIG_HOME || join(home, '.config'), 'snowflake');
  }
}

function homeOf(environment: Environment): string {
  return environment.HOME || homedir();
}

/** Passwords may stand in the file: Snowflake's tools want it to be its owner's alone, too. */
function checkPermissions(file: string, environment: Environment): void {
  if (platform() === 'win32') return;
  const mode = statSync(file).mode & 0o777;
  const mayBeRead = environment.SF_SKIP_WARNING_FOR_READ_PERMISSIONS_ON_CONFIG_FILE?.toLowerCase() === 'true';
  if ((mode & (mayBeRead ? 0o022 : 0o077)) === 0) return;
  throw invalidOption(
    `${file} can be opened by other users (mode ${mode.toString(8).padStart(4, '0')}), and secrets may stand in it. Make it yours alone: chmod 0600 ${JSON.stringify(file)}`,
  );
}

function tablesOf(file: string): Table {
  let parsed: Table;
  try {
    parsed = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    // The parser's message quotes the lines around, where a password may stand.
    const { line, column } = error as { readonly line?: number; readonly column?: number };
    const place = line === undefined ? '' : ` (line ${line}, column ${column})`;
    throw invalidOption(`${file} cannot be read as TOML${place}. Correct it, or give the options in another way.`);
  }
  if (file.endsWith('connections.toml')) return parsed;
  return isTable(parsed.connections) ? parsed.connections : {};
}

function withEnvironment(table: Table, name: string, environment: Environment): Table {
  const prefix = `SNOWFLAKE_CONNECTIONS_${name.toUpperCase()}_`;
  const set = Object.entries(environment).filter(([key, value]) => key.startsWith(prefix) && value !== undefined);
  return {
    ...table,
    ...Object.fromEntries(set.map(([key, value]) => [key.slice(prefix.length).toLowerCase(), value])),
  };
}

/** From the keys of the file, with what other tools call them, to ours. */
const KEYS: Readonly<Record<string, keyof SnowflakeOptions>> = {
  account: 'account',
  user: 'user',
  username: 'user',
  password: 'password',
  passcode: 'passcode',
  authenticator: 'authenticator',
  private_key_file: 'privateKeyPath',
  private_key_path: 'privateKeyPath',
  private_key_raw: 'privateKey',
  private_key_file_pwd: 'privateKeyPassphrase',
  private_key_passphrase: 'privateKeyPassphrase',
  token: 'token',
  database: 'database',
  dbname: 'database',
  schema: 'schema',
  schemaname: 'schema',
  warehouse: 'warehouse',
  warehousename: 'warehouse',
  role: 'role',
  rolename: 'role',
  host: 'host',
  port: 'port',
  protocol: 'protocol',
};

/** Passed on to the driver under its own names. */
const DRIVER_KEYS: Readonly<Record<string, string>> = {
  oauth_client_id: 'oauthClientId',
  oauth_client_secret: 'oauthClientSecret',
  oauth_authorization_url: 'oauthAuthorizationUrl',
  oauth_token_request_url: 'oauthTokenRequestUrl',
  oauth_redirect_uri: 'oauthRedirectUri',
  oauth_scope: 'oauthScope',
  workload_identity_provider: 'workloadIdentityProvider',
  proxy_host: 'proxyHost',
  proxy_port: 'proxyPort',
  proxy_user: 'proxyUser',
  proxy_password: 'proxyPassword',
  client_store_temporary_credential: 'clientStoreTemporaryCredential',
};

function toOptions(table: Table, file: string): SnowflakeOptions {
  const options: Record<string, unknown> = {};
  const driverOptions: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(table)) {
    if (value === '' || value === null) continue;
    const ours = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
    if (ours === 'port') options.port = Number(value);
    else if (ours !== undefined) {
      if (typeof value !== 'string') throw invalidOption(`\`${key}\` in ${file} must be a text.`);
      options[ours] = value;
    } else if (Object.hasOwn(DRIVER_KEYS, key)) driverOptions[DRIVER_KEYS[key] as string] = value;
  }
  const tokenFile = table.token_file_path;
  if (options.token === undefined && typeof tokenFile === 'string' && tokenFile !== '')
    options.token = readToken(tokenFile);
  return { ...options, ...(Object.keys(driverOptions).length > 0 && { driverOptions }) };
}

function readToken(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw invalidOption(`The token file ${path} cannot be read.`);
  }
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'It has none.' : `It has ${names.slice(0, 10).join(', ')}.`;
}
