import {
  type PoolOptions,
  type ResolvedPoolOptions,
  type ResolvedServerOptions,
  resolvePoolOptions,
  resolveServerOptions,
  type ServerOptions,
} from '@askema/adapter-kit';
import { checkNames, checkText, checkTimer } from '@askema/core';
import { readAddress } from './read-address.ts';

/** Options of {@link postgres}. Without `connectionString` the parts say where the server is. */
export interface PostgresOptions extends ServerOptions, PoolOptions {
  /** `postgres://user@host:5432/database`. Parts that are given beside it win. */
  readonly connectionString?: string | undefined;
  /** What `pg_stat_activity` shows. Default: `askema`. */
  readonly applicationName?: string | undefined;
  /** Where names without a schema are looked for. Default: that of the server for this user. */
  readonly searchPath?: readonly string[] | undefined;
  /** The schemas that `introspect` reads. Default: all but those of the system. */
  readonly schemas?: readonly string[] | undefined;
  /** Opening one connection. Default: 10,000. */
  readonly connectTimeoutMs?: number | undefined;
  /** How long a statement waits for a lock. Default: 5,000. */
  readonly lockTimeoutMs?: number | undefined;
}

/** All options with their defaults. */
export interface ResolvedOptions extends ResolvedServerOptions, ResolvedPoolOptions {
  readonly applicationName: string;
  readonly searchPath: readonly string[] | undefined;
  readonly schemas: readonly string[] | undefined;
  readonly connectTimeoutMs: number;
  readonly lockTimeoutMs: number;
}

/** @throws AskemaError `CONFIG_INVALID` */
export function resolveOptions(options: PostgresOptions): ResolvedOptions {
  const address = options.connectionString === undefined ? {} : readAddress(options.connectionString);
  return {
    ...resolveServerOptions(options, address, 5432),
    ...resolvePoolOptions(options),
    applicationName: checkText('applicationName', options.applicationName ?? address.applicationName) ?? 'askema',
    searchPath: checkNames('searchPath', options.searchPath),
    schemas: checkNames('schemas', options.schemas),
    connectTimeoutMs: checkTimer('connectTimeoutMs', options.connectTimeoutMs ?? 10_000),
    lockTimeoutMs: checkTimer('lockTimeoutMs', options.lockTimeoutMs ?? 5_000),
  };
}
