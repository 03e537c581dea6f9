export { openAddress } from './address/open-address.ts';
export type { SnowflakeOptions } from './options.ts';
export { snowflake } from './snowflake.ts';
