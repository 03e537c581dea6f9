export { type DuckdbAdapterSpec, duckdb } from './duckdb.ts';
export { DATABASE_ENDINGS, fileKind } from './files/file-kind.ts';
export { openAddress } from './open-address.ts';
export type { DuckdbOptions } from './options.ts';
