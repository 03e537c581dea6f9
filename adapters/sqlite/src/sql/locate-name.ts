import { offsetOfName } from '@askema/adapter-kit';
import { sqliteDialect } from '@askema/dialects';

/** The name that SQLite complains about. The driver does not give SQLite's own offset. */
const OFFENDING_NAME =
  /(?:no such (?:table|view|column|function|collation sequence): |ambiguous column name: |has no column named |wrong number of arguments to function |misuse of aggregate: |misuse of window function )"?([^"()]+?)"?(?:\(\).*| - should this be a string literal.*)?$/;

/** Where the name of a complaint stands in the statement, if it does so once: an offset in UTF-16 code units. */
export function locateName(sql: string, message: string): number | undefined {
  const name = OFFENDING_NAME.exec(message)?.[1];
  return name === undefined ? undefined : offsetOfName(sql, name, sqliteDialect, / function/.test(message));
}
