export { openAddress } from './open-address.ts';
export type { PostgresOptions, PostgresPassword } from './options.ts';
export { type PostgresAdapterSpec, postgres } from './postgres.ts';
