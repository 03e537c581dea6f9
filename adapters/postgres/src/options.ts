import { type ResolvedServerOptions, resolveServerOptions, type ServerOptions } from '@askema/adapter-kit';
import { checkNames, checkText } from '@askema/core';
import { readAddress } from './read-address.ts';

/** Options of {@link postgres}. Without `connectionString` the parts say where the server is. */
export interface PostgresOptions extends ServerOptions {
  /** `postgres://user@host:5432/database`. Parts that are given beside it win. */
  readonly connectionString?: string | undefined;
  /** What `pg_stat_activity` shows. Default: `askema`. */
  readonly applicationName?: string | undefined;
  /** Where names without a schema are looked for. Default: that of the server for this user. */
  readonly searchPath?: readonly string[] | undefined;
  /** The schemas that `introspect` reads. Default: all but those of the system. */
  readonly schemas?: readonly string[] | undefined;
}

/** All options with their defaults. */
export interface ResolvedOptions extends ResolvedServerOptions {
  readonly applicationName: string;
  readonly searchPath: readonly string[] | undefined;
  readonly schemas: readonly string[] | undefined;
}

/** @throws AskemaError `CONFIG_INVALID` */
export function resolveOptions(options: PostgresOptions): ResolvedOptions {
  const address = options.connectionString === undefined ? {} : readAddress(options.connectionString);
  return {
    ...resolveServerOptions(options, address, 5432),
    applicationName: checkText('applicationName', options.applicationName ?? address.applicationName) ?? 'askema',
    searchPath: checkNames('searchPath', options.searchPath),
    schemas: checkNames('schemas', options.schemas),
  };
}
