import { type ResolvedServerOptions, resolveServerOptions, type ServerOptions } from '@askema/adapter-kit';
import { checkChoice, checkNames, type Dialect, invalidOption } from '@askema/core';
import { mariadbDialect, mysqlDialect } from '@askema/dialects';
import { type MysqlAddress, type MysqlSsl, readAddress } from './read-address.ts';

const DIALECTS = new Map([mysqlDialect, mariadbDialect].map((dialect) => [dialect.name, dialect]));

/** Options of {@link mysql}. Without `connectionString` the parts say where the server is. */
export interface MysqlOptions extends ServerOptions<MysqlSsl> {
  /** `mysql://user@host:3306/database` or `mariadb://…`. Parts that are given beside it win. */
  readonly connectionString?: string | undefined;
  /** Which SQL prompts ask for. Default: that of the address, else `mysql`. */
  readonly product?: 'mysql' | 'mariadb' | undefined;
  /** The databases that `introspect` reads. Default: `database`, else all but those of the system. */
  readonly databases?: readonly string[] | undefined;
}

/** All options with their defaults. */
export interface ResolvedOptions extends ResolvedServerOptions<MysqlSsl> {
  readonly dialect: Dialect;
  readonly databases: readonly string[] | undefined;
}

/** @throws AskemaError `CONFIG_INVALID` */
export function resolveOptions(options: MysqlOptions): ResolvedOptions {
  const address: MysqlAddress = options.connectionString === undefined ? {} : readAddress(options.connectionString);
  const asked = options.product ?? address.product ?? mysqlDialect.name;
  const product = checkChoice('product', asked, [...DIALECTS.keys()]);
  const server = resolveServerOptions(options, address, 3306);
  if (server.ssl !== false && 'checkServerIdentity' in server.ssl)
    throw invalidOption('`ssl.checkServerIdentity` does nothing in mysql2: set `ssl.verifyIdentity`.');
  return {
    ...server,
    dialect: DIALECTS.get(product) ?? mysqlDialect,
    databases: checkNames('databases', options.databases) ?? (server.database ? [server.database] : undefined),
  };
}
