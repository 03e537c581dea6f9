export type { Password as PostgresPassword } from '@askema/adapter-kit';
export { openAddress } from './open-address.ts';
export type { PostgresOptions } from './options.ts';
export { type PostgresAdapterSpec, postgres } from './postgres.ts';
