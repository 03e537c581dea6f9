import { startDuckdb } from './duckdb.ts';
import type { FuzzedEngine } from './fuzzed-engine.ts';
import { startMariadb } from './mariadb.ts';
import { startPostgres } from './postgres.ts';
import { startSqlite } from './sqlite.ts';
import { startZetaSql } from './zetasql.ts';

export const ENGINES: Readonly<Record<string, () => Promise<FuzzedEngine>>> = {
  sqlite: startSqlite,
  duckdb: startDuckdb,
  postgres: startPostgres,
  mariadb: startMariadb,
  zetasql: startZetaSql,
};
