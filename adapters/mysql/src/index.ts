export { type MysqlAdapterSpec, mysql } from './mysql.ts';
export { openAddress } from './open-address.ts';
export type { MysqlOptions } from './options.ts';
export type { MysqlSsl } from './read-address.ts';
