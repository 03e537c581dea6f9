export { openAddress } from './address/open-address.ts';
export { snowflake } from './snowflake.ts';
export type { SnowflakeOptions } from './snowflake-options.ts';
