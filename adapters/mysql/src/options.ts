import {
  type PoolOptions,
  type ResolvedPoolOptions,
  type ResolvedServerOptions,
  resolvePoolOptions,
  resolveServerOptions,
  type ServerOptions,
} from '@askema/adapter-kit';
import { checkChoice, checkNames, checkTimer, type Dialect, invalidOption } from '@askema/core';
import { mariadbDialect, mysqlDialect } from '@askema/dialects';
import { type MysqlAddress, type MysqlSsl, readAddress } from './read-address.ts';

const DIALECTS = [mysqlDialect, mariadbDialect];

/** Options of {@link mysql}. Without `connectionString` the parts say where the server is. */
export interface MysqlOptions extends Omit<ServerOptions, 'ssl'>, PoolOptions {
  /** `mysql://user@host:3306/database` or `mariadb://…`. Parts that are given beside it win. */
  readonly connectionString?: string | undefined;
  /** Which SQL prompts ask for. Default: that of the address, else `mysql`. */
  readonly product?: 'mysql' | 'mariadb' | undefined;
  /** `true`: encrypted, and the certificate is checked. Default: not encrypted. */
  readonly ssl?: boolean | MysqlSsl | undefined;
  /** The databases that `introspect` reads. Default: `database`, else all but those of the system. */
  readonly databases?: readonly string[] | undefined;
  /** Opening one connection. Default: 10,000. */
  readonly connectTimeoutMs?: number | undefined;
  /** How long a statement waits for a lock, in whole seconds. Default: 5,000. */
  readonly lockTimeoutMs?: number | undefined;
}

/** All options with their defaults. */
export interface ResolvedOptions extends Omit<ResolvedServerOptions, 'ssl'>, ResolvedPoolOptions {
  readonly dialect: Dialect;
  readonly ssl: MysqlSsl | undefined;
  readonly databases: readonly string[] | undefined;
  readonly connectTimeoutMs: number;
  readonly lockTimeoutMs: number;
}

/** @throws AskemaError `CONFIG_INVALID` */
export function resolveOptions(options: MysqlOptions): ResolvedOptions {
  const address: Partial<MysqlAddress> =
    options.connectionString === undefined ? {} : readAddress(options.connectionString);
  const product: string = options.product ?? address.product ?? mysqlDialect.name;
  checkChoice(
    'product',
    product,
    DIALECTS.map(({ name }) => name),
  );
  const server = resolveServerOptions(options as ServerOptions, address as ServerOptions, 3306);
  const ssl = server.ssl === false ? undefined : (server.ssl as MysqlSsl);
  if (ssl !== undefined && 'checkServerIdentity' in ssl)
    throw invalidOption('`ssl.checkServerIdentity` does nothing in mysql2: set `ssl.verifyIdentity`.');
  return {
    ...server,
    ...resolvePoolOptions(options),
    dialect: DIALECTS.find(({ name }) => name === product) ?? mysqlDialect,
    ssl,
    databases: checkNames('databases', options.databases),
    connectTimeoutMs: checkTimer('connectTimeoutMs', options.connectTimeoutMs ?? 10_000),
    lockTimeoutMs: checkTimer('lockTimeoutMs', options.lockTimeoutMs ?? 5_000),
  };
}
