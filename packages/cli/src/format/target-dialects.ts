import type { Dialect } from '@askema/core';
import {
  bigqueryDialect,
  duckdbDialect,
  mariadbDialect,
  mysqlDialect,
  postgresDialect,
  snowflakeDialect,
  sqliteDialect,
} from '@askema/dialects';
import { oneOf } from '../flags/one-of.ts';

const DIALECTS: readonly Dialect[] = [
  sqliteDialect,
  postgresDialect,
  mysqlDialect,
  mariadbDialect,
  snowflakeDialect,
  bigqueryDialect,
  duckdbDialect,
];
export const DIALECT_NAMES = DIALECTS.map(({ name }) => name);

/**
 * The dialects of these names, each once; SQLite and PostgreSQL when none is named.
 *
 * @throws AskemaError `INPUT_INVALID` for an unknown one.
 */
export function dialectsNamed(names: readonly string[] | undefined): readonly Dialect[] {
  if (names === undefined || names.length === 0) return [sqliteDialect, postgresDialect];
  return [...new Set(names.map(dialectNamed))];
}

/** @throws AskemaError `INPUT_INVALID` for an unknown name. */
export function dialectNamed(name: string): Dialect {
  const known = oneOf('--dialect', name, DIALECT_NAMES);
  return DIALECTS[DIALECT_NAMES.indexOf(known)] as Dialect;
}

/** The names of the dialects whose databases Prisma and Drizzle know. */
export const ORM_DIALECTS: readonly string[] = DIALECTS.filter(({ ormName }) => ormName !== undefined).map(
  ({ name }) => name,
);
