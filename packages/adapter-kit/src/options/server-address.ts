import type { ConnectionOptions } from 'node:tls';
import { checkText, checkTimer, checkWhole, decodePart, invalidOption } from '@askema/core';
import { type PoolOptions, type ResolvedPoolOptions, resolvePoolOptions } from './pool-options.ts';

/** How addresses of an engine look; `Parts` are the options that they say. */
export interface AddressForm<Parts extends ServerOptions<object>> {
  /** In lower case, with `://`. */
  readonly schemes: readonly string[];
  /** Stands in messages. */
  readonly example: string;
  /** What each parameter behind `?` says: it wins over the parts before it. */
  readonly parameters: Readonly<Record<string, (value: string) => Parts>>;
}

/**
 * Reads `scheme://user:password@host:port/database?name=value`; each part may be left out.
 *
 * @throws AskemaError `CONFIG_INVALID`, never with the address in it, because a password may be.
 */
export function readServerAddress<Parts extends ServerOptions<object>>(
  address: string,
  { schemes, example, parameters }: AddressForm<Parts>,
): Parts {
  const scheme = typeof address === 'string' ? (/^[a-z][a-z0-9+.-]*:\/\//i.exec(address)?.[0] ?? '') : '';
  if (!schemes.includes(scheme.toLowerCase()))
    throw invalidOption(`The address does not begin with ${schemes.join(' or ')}; an example: ${example}.`);
  let url: URL;
  try {
    // A special scheme makes the parser take an empty host for an error; this one does not.
    url = new URL(`server://${address.slice(scheme.length)}`);
  } catch {
    // What the parser throws has the address, and so perhaps a password, in it.
    throw invalidOption(
      `The address of the database cannot be read (a name with special characters must be percent-encoded); an example: ${example}.`,
    );
  }
  const decoded = (part: string): string | undefined => (part === '' ? undefined : decodePart(part, example));
  const parts: ServerOptions = {
    host: decoded(url.hostname.replace(/^\[(.*)\]$/, '$1')),
    port: url.port === '' ? undefined : Number(url.port),
    database: decoded(url.pathname.slice(1)),
    user: decoded(url.username),
    password: decoded(url.password),
  };
  const given = [...url.searchParams].map(([name, value]) => {
    if (Object.hasOwn(parameters, name)) return parameters[name]?.(value);
    throw invalidOption(
      `The address has the parameter \`${name}\`, which this adapter does not know; it knows ${Object.keys(parameters).join(', ')}.`,
    );
  });
  return Object.assign(parts, ...given);
}

/** A password, or what gives one when a connection is opened (tokens that expire). */
export type Password = string | (() => string | Promise<string>);

/** Options of an adapter that connects to a server; its own options extend them. `Ssl`: what its driver takes. */
export interface ServerOptions<Ssl = ConnectionOptions> extends PoolOptions {
  /** A host name, an address, or where a Unix socket is. Default: `localhost`. */
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  /** Default: the name of the user. */
  readonly database?: string | undefined;
  readonly user?: string | undefined;
  readonly password?: Password | undefined;
  /**
   * `true`: encrypted, and the certificate is checked. Options of Node's `tls.connect` for own authorities. Default:
   * not encrypted.
   */
  readonly ssl?: boolean | Ssl | undefined;
  /** Opening one connection. Default: 10,000. */
  readonly connectTimeoutMs?: number | undefined;
  /** How long a statement waits for a lock. Default: 5,000. */
  readonly lockTimeoutMs?: number | undefined;
  /**
   * Functions that reading may call although nobody can see that they only read, as `schema.name`: functions of your
   * own that you know. Default: none.
   */
  readonly allowFunctions?: readonly string[] | undefined;
}

/** The same, checked and with their defaults. */
export interface ResolvedServerOptions<Ssl = ConnectionOptions> extends ResolvedPoolOptions {
  /** The name to show: host and database. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly database: string | undefined;
  readonly user: string | undefined;
  readonly password: Password | undefined;
  readonly ssl: false | Ssl;
  readonly connectTimeoutMs: number;
  readonly lockTimeoutMs: number;
  readonly allowFunctions: readonly string[];
}

/** `poolSize` of a server. The drivers of PostgreSQL and MySQL open 10; beyond 8 there was little to gain. */
const CONNECTIONS = 8;

/**
 * Checks where a server is, who asks, and what adapters have in common; what `options` leaves out is taken from
 * `address`.
 *
 * @throws AskemaError `CONFIG_INVALID`
 */
export function resolveServerOptions<Ssl extends object = ConnectionOptions>(
  options: ServerOptions<Ssl>,
  address: ServerOptions<Ssl>,
  defaultPort: number,
): ResolvedServerOptions<Ssl> {
  const host = checkText('host', options.host ?? address.host) ?? 'localhost';
  const user = checkText('user', options.user ?? address.user);
  const database = checkText('database', options.database ?? address.database);
  const password = options.password ?? address.password;
  if (password !== undefined && typeof password !== 'string' && typeof password !== 'function')
    throw invalidOption('`password` is neither a text nor a function that gives one.');
  return {
    ...resolvePoolOptions({ ...options, poolSize: options.poolSize ?? CONNECTIONS }),
    name: `${host}/${database ?? user ?? ''}`,
    host,
    port: checkWhole('port', options.port ?? address.port ?? defaultPort, 1, 65_535),
    database,
    user,
    password,
    ssl: resolveSsl(options.ssl ?? address.ssl),
    connectTimeoutMs: checkTimer('connectTimeoutMs', options.connectTimeoutMs ?? 10_000),
    lockTimeoutMs: checkTimer('lockTimeoutMs', options.lockTimeoutMs ?? 5_000),
    allowFunctions: checkAllowFunctions(options.allowFunctions),
  };
}

function resolveSsl<Ssl extends object>(ssl: boolean | Ssl | undefined): false | Ssl {
  if (ssl === undefined || ssl === false) return false;
  // Nothing that differs from the driver's defaults.
  if (ssl === true) return {} as Ssl;
  if (typeof ssl === 'object' && ssl !== null) return ssl;
  throw invalidOption('`ssl` must be true, false, or options of `tls.connect`.');
}

/** @throws AskemaError `CONFIG_INVALID` for a name that is not `schema.name`. */
export function checkAllowFunctions(names: readonly string[] = []): readonly string[] {
  const short = names.find((name) => !/^[^.]+\.[^.]+$/.test(name));
  if (short === undefined) return names;
  throw invalidOption(
    `\`allowFunctions\` has ${JSON.stringify(short)}: write a function with its schema, as app.area.`,
  );
}
