import { quoteString } from '@askema/core';
import type { ResolvedOptions } from '../options.ts';
import { SYSTEM } from '../reading/user-routines.ts';

/**
 * The catalog in a handful of queries, whatever the number of tables:
 * https://dev.mysql.com/doc/refman/8.4/en/information-schema.html. Only what the user may read is shown there.
 *
 * @param opened a condition on TABLE_SCHEMA and TABLE_NAME: what it leaves out is not opened by the server.
 */
export function catalogQueries({ databases, dialect }: ResolvedOptions, isMariadb: boolean, opened: string) {
  const list = databases?.map((name) => quoteString(name, dialect)).join(', ');
  const within = (column: string): string =>
    list === undefined ? `${column} NOT IN ${SYSTEM}` : `${column} IN (${list})`;
  return {
    relations: `SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, TABLE_ROWS, DATA_LENGTH, TABLE_COMMENT, ENGINE
      FROM information_schema.TABLES WHERE ${within('TABLE_SCHEMA')} AND ${opened} ORDER BY TABLE_SCHEMA, TABLE_NAME`,
    attributes: `SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLUMN_DEFAULT, EXTRA, COLUMN_COMMENT,
        COLLATION_NAME
      FROM information_schema.COLUMNS WHERE ${within('TABLE_SCHEMA')} AND ${opened} ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION`,
    // An index of the beginnings of texts, or of an expression, is no key.
    keys: `SELECT TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, COLUMN_NAME, SUB_PART
      FROM information_schema.STATISTICS WHERE NON_UNIQUE = 0 AND ${within('TABLE_SCHEMA')}
      ORDER BY TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX`,
    foreignKeys: `SELECT TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA,
        REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
      FROM information_schema.KEY_COLUMN_USAGE WHERE REFERENCED_TABLE_NAME IS NOT NULL AND ${within('TABLE_SCHEMA')}
      ORDER BY TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION`,
    checks: isMariadb
      ? `SELECT CONSTRAINT_SCHEMA, TABLE_NAME, CHECK_CLAUSE FROM information_schema.CHECK_CONSTRAINTS
         WHERE ${within('CONSTRAINT_SCHEMA')} ORDER BY 1, 2, CONSTRAINT_NAME`
      : `SELECT t.TABLE_SCHEMA, t.TABLE_NAME, c.CHECK_CLAUSE FROM information_schema.CHECK_CONSTRAINTS AS c
         JOIN information_schema.TABLE_CONSTRAINTS AS t
           ON t.CONSTRAINT_SCHEMA = c.CONSTRAINT_SCHEMA AND t.CONSTRAINT_NAME = c.CONSTRAINT_NAME
         WHERE t.CONSTRAINT_TYPE = 'CHECK' AND ${within('t.TABLE_SCHEMA')} ORDER BY 1, 2, c.CONSTRAINT_NAME`,
    views: `SELECT TABLE_SCHEMA, TABLE_NAME, VIEW_DEFINITION FROM information_schema.VIEWS WHERE ${within('TABLE_SCHEMA')}`,
  };
}
