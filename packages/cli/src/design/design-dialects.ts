import { AskemaError, type Dialect, didYouMean } from '@askema/core';
import {
  bigqueryDialect,
  duckdbDialect,
  mysqlDialect,
  postgresDialect,
  snowflakeDialect,
  sqliteDialect,
} from '@askema/dialects';

const DIALECTS: readonly Dialect[] = [
  sqliteDialect,
  postgresDialect,
  mysqlDialect,
  snowflakeDialect,
  bigqueryDialect,
  duckdbDialect,
];

/**
 * The dialects of these names, each once; SQLite and PostgreSQL when none is named.
 *
 * @throws AskemaError `INPUT_INVALID` for an unknown one.
 */
export function dialectsNamed(names: readonly string[] | undefined): readonly Dialect[] {
  if (names === undefined || names.length === 0) return [sqliteDialect, postgresDialect];
  return [...new Set(names.map(dialectNamed))];
}

function dialectNamed(name: string): Dialect {
  const dialect = DIALECTS.find((each) => each.name === name.trim().toLowerCase());
  if (dialect !== undefined) return dialect;
  const known = DIALECTS.map((each) => each.name);
  throw new AskemaError(
    'INPUT_INVALID',
    `--dialect ${JSON.stringify(name)} is not known. ${didYouMean(name, known) || ''} There are ${known.join(', ')}.`.replace(
      /\s+/g,
      ' ',
    ),
  );
}
