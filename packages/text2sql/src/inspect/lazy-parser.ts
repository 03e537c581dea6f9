import type { SqlParser } from '@askema/core';
import type { ClosableSqlParser } from '@askema/sql-parser';

/** A parser that is made when the first statement is parsed. */
export interface LazyParser extends SqlParser {
  /** Closes the parser that was made; one that was passed in belongs to its owner. */
  close(): Promise<void>;
}

/** The given parser, or one of @askema/sql-parser that is loaded, and starts its thread, with the first statement. */
export function lazyParser(given: SqlParser | undefined): LazyParser {
  let own: Promise<ClosableSqlParser> | undefined;
  return {
    async parse(sql, dialect, options) {
      if (given !== undefined) return given.parse(sql, dialect, options);
      own ??= import('@askema/sql-parser').then(({ sqlparserTs }) => sqlparserTs());
      return (await own).parse(sql, dialect, options);
    },
    async close() {
      await (await own)?.close();
    },
  };
}
