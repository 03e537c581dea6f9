import { AskemaError, type OpenAddress } from '@askema/core';

/** The adapters that open an address by themselves; SQLite files are opened by their path. */
export type AddressedAdapter = 'postgres' | 'mysql' | 'duckdb' | 'snowflake' | 'bigquery';

/**
 * How each adapter comes by its `openAddress`: its package is loaded when one of its addresses is asked for, and its
 * driver later still.
 */
export type AddressOpeners = Readonly<Record<AddressedAdapter, () => Promise<OpenAddress>>>;

/** The packages that the command brings. */
export const ADDRESS_OPENERS: AddressOpeners = {
  postgres: async () => openerOf(await import('@askema/postgres'), '@askema/postgres'),
  mysql: async () => openerOf(await import('@askema/mysql'), '@askema/mysql'),
  duckdb: async () => openerOf(await import('@askema/duckdb'), '@askema/duckdb'),
  snowflake: async () => openerOf(await import('@askema/snowflake'), '@askema/snowflake'),
  bigquery: async () => openerOf(await import('@askema/bigquery'), '@askema/bigquery'),
};

/** Who opens an address with this scheme; `file` is whatever the file is. */
export const SCHEMES: Readonly<Record<string, AddressedAdapter | 'sqlite' | 'file'>> = {
  sqlite: 'sqlite',
  file: 'file',
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
  duckdb: 'duckdb',
  snowflake: 'snowflake',
  bigquery: 'bigquery',
};

/** Where the adapter of a scheme looks for a password; undefined where it takes none from a variable. */
export function passwordVariable(scheme: string): string | undefined {
  const named = scheme.toLowerCase();
  return Object.hasOwn(SCHEMES, named) ? PASSWORD_VARIABLES[SCHEMES[named] ?? 'file'] : undefined;
}

const PASSWORD_VARIABLES: Readonly<Partial<Record<AddressedAdapter | 'sqlite' | 'file', string>>> = {
  postgres: 'PGPASSWORD',
  mysql: 'MYSQL_PWD',
};

/** Of addresses that are a file; a path has none. */
export const FILE_SCHEMES: readonly (string | undefined)[] = [undefined, 'file', 'sqlite', 'duckdb'];

/** How addresses look, for messages. */
export const ADDRESS_EXAMPLES: readonly string[] = [
  'shop.sqlite',
  'sales.parquet',
  'sqlite:shop.db',
  'duckdb:shop.duckdb',
  'postgres://host/database',
  'mysql://host/database',
  'mariadb://host/database',
  'snowflake://account/database/schema',
  'bigquery://project/dataset',
];

/** Packages are published one by one, so that an older one may be beside this command. */
function openerOf(module: { readonly openAddress?: OpenAddress }, name: string): OpenAddress {
  if (typeof module.openAddress === 'function') return module.openAddress;
  throw new AskemaError('CONTRACT_MISMATCH', `The ${name} that is installed opens no addresses; upgrade it.`);
}
