import { duckdbDialect } from '@askema/dialects';
import { DuckDBInstance } from '@duckdb/node-api';
import { type EngineOutcome, type FuzzedEngine, MAY_WRITE } from './fuzzed-engine.ts';

/** DuckDB in this process. */
export async function startDuckdb(): Promise<FuzzedEngine> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1', enable_external_access: 'false' });
  const connection = await instance.connect();
  await connection.run("CREATE TABLE m AS SELECT 'one' AS m1, 'two' AS m2; CREATE TABLE w (x INT)");

  async function runAll(sql: string): Promise<EngineOutcome> {
    try {
      const statements = await connection.extractStatements(sql);
      const results: unknown[][][] = [];
      let wrote = false;
      for (let index = 0; index < statements.count; index += 1) {
        const prepared = await statements.prepare(index);
        for (let parameter = 1; parameter <= prepared.parameterCount; parameter += 1) prepared.bindNull(parameter);
        // 1 is a query.
        wrote ||= prepared.statementType !== 1;
        const reader = await prepared.runAndReadAll();
        results.push([reader.columnNames(), ...reader.getRowsJson().map((row) => row.map(String))]);
        prepared.destroySync();
      }
      return { kind: 'ran', results, wrote };
    } catch (error) {
      const message = String((error as Error).message).split('\n')[0] ?? '';
      // The driver has no other word for a text without a statement.
      if (message === 'Failed to extract statements: ') return { kind: 'ran', results: [], wrote: false };
      return message.includes('Parser Error') ? { kind: 'rejected' } : { kind: 'failed', message };
    }
  }

  return {
    lexer: duckdbDialect.lexer,
    pieces: ["E'", "e'", "x'", "U&'", '$$', '$t$', '$é$', '$1', '$a', '?', '\\', '{', '}', '[', ']', '//', '@', '#'],
    names: ['"…"'],
    literals: [
      ...["'…'", "E'…'", "e'…'", "x'00'", "'\\xFF'::BLOB", '$$…$$', '$t$…$t$', '$é$…$é$', '$1', '$name', '?'],
      ...['1e5', '0x1F', '1_000', '.5', '5.', 'm1', '"m1"', "{a: '…'}", "['…']"],
    ],
    known(sql) {
      // Where its parser fails, DuckDB splits the text and tries again, without such a word at the end.
      if (/\v|[\u0080-\uFFFF]\s*(?:;|$)/.test(sql)) return 'a vertical tab, or a letter beyond ASCII at the end';
      // A token of two letters is another operator where a comment touches it.
      if (/(?:\/\/|\*\*|->|\^@)(?:--|\/\*)/.test(sql)) return 'an operator that touches a comment';
      if (/\?\d+_\d/.test(sql)) return 'an underscore in the number of a parameter';
      // It replaces them in front of its lexer, with another idea of what is quoted, and not in the last two bytes.
      const spaces = /[\u00A0\u2000-\u200D\u202F\u205F\u2060\u3000\uFEFF]/;
      const isOdd = spaces.test(sql) && (/\/\*|\\|\$/.test(sql) || spaces.test(sql.slice(-3)));
      return isOdd ? 'blanks of Unicode with a comment, a backslash or a dollar, or at the end' : undefined;
    },
    async run(sql) {
      const undo = MAY_WRITE.test(sql);
      if (undo) await connection.run('BEGIN');
      const outcome = await runAll(sql);
      if (undo) await connection.run('ROLLBACK').catch(() => undefined);
      return outcome;
    },
    async stop() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
