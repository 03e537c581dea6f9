export { openAddress } from './address/open-address.ts';
export { bigquery } from './bigquery.ts';
export type { AuthClientLike, BigQueryOptions } from './options.ts';
