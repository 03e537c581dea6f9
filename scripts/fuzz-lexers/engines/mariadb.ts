import { createRequire } from 'node:module';
import { mariadbDialect } from '@askema/dialects';
import { startServer } from '../../../servers/start-server.ts';
import { type EngineOutcome, type FuzzedEngine, MAY_WRITE } from './fuzzed-engine.ts';

/** What is used of mysql2, which the adapter brings. */
interface Connection {
  query(sql: string | { sql: string; rowsAsArray: true; typeCast: false }): Promise<[unknown, unknown]>;
  end(): Promise<void>;
}

/** ER_PARSE_ERROR, ER_EMPTY_QUERY, and letters that are none. */
const SYNTAX = new Set([1064, 1065, 1300, 1149]);

/** A MariaDB server of its own, under the SQL mode that the adapter sets. */
export async function startMariadb(): Promise<FuzzedEngine> {
  const server = await startServer('mariadb/start.mjs', [], {
    needs: 'a MariaDB server (Debian: apt-get install mariadb-server)',
  });
  const adapter = new URL('../../../adapters/mysql/package.json', import.meta.url);
  const driver = createRequire(adapter)('mysql2/promise') as {
    createConnection(options: object): Promise<Connection>;
  };
  const { host, port, user, password } = server.ready;
  const connection = await driver.createConnection({ host, port, user, password, multipleStatements: true });
  await connection.query(
    "CREATE DATABASE fuzz; USE fuzz; SET SESSION sql_mode = 'STRICT_TRANS_TABLES'; CREATE TABLE w (x INT); INSERT INTO w VALUES (0); CREATE TABLE m AS SELECT 'one' AS m1, 'two' AS m2",
  );

  async function runAll(sql: string): Promise<EngineOutcome> {
    try {
      const [rows, fields] = await connection.query({ sql, rowsAsArray: true, typeCast: false });
      const several = Array.isArray(fields) && (fields[0] === undefined || Array.isArray(fields[0]));
      const all = (several ? rows : [rows]) as unknown[];
      // A text without a statement gives what a statement gives that changes nothing.
      const ran = all.filter((one) => Array.isArray(one) || (one as { affectedRows: number }).affectedRows > 0);
      const results = ran.map((one) => (Array.isArray(one) ? one.map((row: unknown[]) => row.map(cellOf)) : []));
      return { kind: 'ran', results, wrote: ran.some((one) => !Array.isArray(one)) };
    } catch (error) {
      const { errno = 0, message } = error as { errno?: number; message: string };
      return SYNTAX.has(errno) ? { kind: 'rejected' } : { kind: 'failed', message };
    }
  }

  return {
    lexer: mariadbDialect.lexer,
    pieces: [
      ...['`', '#', '-- ', '--\t', '--\n', '--\r', '--\f', '--\v', '--\x01', '--\u00A0', '/*!', '/*!50000 ', '/*M! '],
      ...['/*!99999 ', '\\', "_utf8'", "n'", "x'", "b'", '@', '@@', '?', '&&', ':=', "@'", '@`', '\\N', '\x1a', '$'],
    ],
    names: ['`…`'],
    literals: [
      ...["'…'", '"…"', "N'…'", "n'…'", "_utf8mb4'…'", '_binary"…"', "x'1F'", "b'01'", "'…' '…'", '\'…\' "…"'],
      ...['1e5', '0x1F', '.5', '5.', 'm1', '`m1`', '@x', "@'…'", '@"…"', '@`…`', '0b01', '1 --1', '@@version'],
    ],
    known(sql) {
      // The server cuts off what ends the text, and then `--` opens a comment.
      if (/--[;\s]*;\s*$/.test(sql)) return 'a semicolon at the end, behind two hyphens';
      if (/delete[\s\S]*delete/i.test(sql)) return 'a second DELETE, which changes nothing, as no statement does';
      if (/union(?!\s+all)/i.test(sql)) return 'rows that UNION takes for the same when their strings are empty';
      return /\/\*M?!/.test(sql) ? 'executable comments, which the guard refuses' : undefined;
    },
    async run(sql) {
      const undo = MAY_WRITE.test(sql);
      if (undo) await connection.query('BEGIN');
      const outcome = await runAll(sql);
      if (undo) await connection.query('ROLLBACK');
      return outcome;
    },
    async stop() {
      await connection.end();
      await server.stop();
    },
  };
}

function cellOf(cell: unknown): unknown {
  return Buffer.isBuffer(cell) ? cell.toString('latin1') : cell;
}
