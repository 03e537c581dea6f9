/** Columns of every table. */
export const COLUMNS = 8;

/**
 * CREATE statements of so many tables, as applications have them: a key, a unique name, a reference to the table
 * before, prices, times and flags. They are valid in SQLite and in PostgreSQL.
 */
export function* createStatements(tables: number): Generator<string> {
  for (let at = 0; at < tables; at += 1) {
    const parent = at === 0 ? '' : ` REFERENCES t${at - 1} (id)`;
    yield `CREATE TABLE t${at} (id integer NOT NULL PRIMARY KEY, name varchar(80) NOT NULL, parent_id integer${parent}, amount numeric(12,2) DEFAULT 0, created_at timestamp, note text, is_open boolean, code varchar(12), UNIQUE (name, code))`;
  }
}

/** Fails a bench whose contender did not see everything. */
export function expectCounts(found: { readonly tables: number; readonly columns: number }, tables: number): void {
  if (found.tables !== tables || found.columns !== tables * COLUMNS)
    throw new Error(
      `${found.tables} tables with ${found.columns} columns were read in place of ${tables} with ${tables * COLUMNS}.`,
    );
}
