import { createRequire } from 'node:module';
import { sqliteDialect } from '@askema/dialects';
import type { EngineOutcome, FuzzedEngine } from './fuzzed-engine.ts';

/** What is used of better-sqlite3, which the adapter brings. */
interface Database {
  readonly inTransaction: boolean;
  prepare(sql: string): { readonly reader: boolean; raw(): { all(): unknown[][] }; run(): unknown };
  exec(sql: string): void;
  close(): void;
}
type DatabaseClass = new (path: string, options: { verbose: (sql: string) => void }) => Database;

/** SQLite in this process. */
export async function startSqlite(): Promise<FuzzedEngine> {
  const adapter = new URL('../../../adapters/sqlite/package.json', import.meta.url);
  const Database = createRequire(adapter)('better-sqlite3') as DatabaseClass;
  let statements: string[] = [];
  const database = new Database(':memory:', { verbose: (sql) => statements.push(sql) });
  database.exec("CREATE TABLE m (m1, m2); INSERT INTO m VALUES ('one', 'two'); CREATE TABLE w (x)");

  function run(sql: string): EngineOutcome {
    // The driver tells each statement that it runs, and so where SQLite ends it, with NULL for each parameter.
    statements = [];
    database.exec(sql);
    let wrote = false;
    const results = [...statements].map((one) => {
      const statement = database.prepare(one);
      wrote ||= !statement.reader;
      return statement.reader ? statement.raw().all() : [];
    });
    return { kind: 'ran', results, wrote };
  }

  return {
    lexer: sqliteDialect.lexer,
    pieces: ['`', '[', ']', '[m1]', '`m1`', "x'", "X'0g'", '$a::b(c)', '@x', ':x', '?1', '#', '->>', '0x1', '\u180e'],
    names: ['"…"', '`…`', '[…]'],
    literals: ["'…'", "x'00ff'", "X''", '1e5', '0x1F', '1_000', '.5', '5.', ':name', '@x', '$a', 'm1', '"m1"'],
    known(sql) {
      if (/\?\d*[A-Za-z_\u0080-\uFFFF]/.test(sql))
        return 'the driver writes NULL for ? and joins it with the name behind';
      return /(?:^|;)\s*\v/.test(sql) ? 'the driver takes a vertical tab for a blank where no statement is' : undefined;
    },
    async run(sql) {
      database.exec('BEGIN');
      try {
        return run(sql);
      } catch (error) {
        const message = String((error as Error).message);
        return /syntax error|unrecognized token|incomplete input/.test(message)
          ? { kind: 'rejected' }
          : { kind: 'failed', message };
      } finally {
        if (database.inTransaction) database.exec('ROLLBACK');
      }
    },
    async stop() {
      database.close();
    },
  };
}
