import type { Access, AdapterSpec } from './adapter-spec.ts';

/** What opening a database by its address may need. */
export interface AddressRequest {
  readonly access: Access;
  /** Functions that reading may call although nobody can see that they only read, as `schema.name`. */
  readonly allowFunctions?: readonly string[] | undefined;
  /** Secrets and the vendor's usual variables are read from here, never from the address. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Relative paths are meant from here. */
  readonly folder: string;
  /** Asks a person for a secret without echo; absent where nobody can be asked. */
  readonly askSecret?: ((question: string) => Promise<string>) | undefined;
}

/**
 * Opens a database by an address such as `postgres://host/database` or `snowflake://account/database/schema`: each
 * adapter package of ours exports one as `openAddress`. Nothing is connected yet.
 *
 * Rejects with `CONFIG_INVALID` for an address that cannot be read (with an example), and for a secret within it where
 * a safer place exists; `DATABASE_NOT_FOUND` for a file that is not there.
 */
export type OpenAddress = (address: string, request: AddressRequest) => Promise<AdapterSpec>;
