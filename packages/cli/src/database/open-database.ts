import { type Access, type Adapter, checkAccess, type OpenAddress, resolveAdapter } from '@askema/core';
import { ADDRESS_OPENERS } from './address-openers.ts';
import { openAddress } from './open-address.ts';

export interface OpenDatabaseOptions {
  /** What the adapter may be asked for at most. Default: `read`. */
  readonly access?: Access | undefined;
  /** Functions of servers that reading may call although nobody can see that they only read, as `schema.name`. */
  readonly allowFunctions?: readonly string[] | undefined;
  /** What opens addresses of further schemes, by the scheme in lower case: `{ trino: openAddress }`. */
  readonly schemes?: Readonly<Record<string, OpenAddress>> | undefined;
  /** Where passwords and the vendors' variables are read from. Default: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Relative paths are meant from here. Default: the working directory. */
  readonly folder?: string | undefined;
}

/**
 * Opens in code what the command opens: a path, or an address such as `mysql://reader@db.example/shop`. Nothing is
 * connected yet, and nobody is asked for a password.
 *
 * Rejects with `DATABASE_NOT_FOUND` for a file that is not there, `DATABASE_INVALID` for one that is no database,
 * `CAPABILITY_UNSUPPORTED` for a scheme that nobody knows, and what the adapter rejects with.
 */
export async function openDatabase(address: string, options: OpenDatabaseOptions = {}): Promise<Adapter> {
  const { access, allowFunctions, schemes, environment = process.env, folder = process.cwd() } = options;
  const request = { access: checkAccess(access), allowFunctions, environment, folder };
  return resolveAdapter(await openAddress(address, request, { configured: [], openers: ADDRESS_OPENERS, schemes }));
}
