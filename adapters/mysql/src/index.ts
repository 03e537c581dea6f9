export { type MysqlAdapterSpec, mysql } from './mysql.ts';
export { openAddress } from './open-address.ts';
export type { MysqlOptions, MysqlSsl } from './options.ts';
