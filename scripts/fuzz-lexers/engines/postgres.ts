import { postgresDialect } from '@askema/dialects';
import pg from 'pg';
import { startServer } from '../../../servers/start-server.ts';
import { type EngineOutcome, type FuzzedEngine, MAY_WRITE } from './fuzzed-engine.ts';

/** SQLSTATE of a syntax error, of a name that is too odd, of letters that are none. */
const SYNTAX = new Set(['42601', '42602', '22021', '22P05', '22025']);

/** A PostgreSQL server of its own. */
export async function startPostgres(): Promise<FuzzedEngine> {
  const server = await startServer('postgres/start.mjs', [], {
    needs: 'a PostgreSQL server (Debian: apt-get install postgresql)',
  });
  const { host, port, user, password, database } = server.ready as Record<string, string> & { port: number };
  const client = new pg.Client({ host, port, user, password, database });
  await client.connect();
  await client.query("CREATE TABLE m AS SELECT 'one' AS m1, 'two' AS m2; CREATE TABLE w (x INT)");
  await client.query('SET standard_conforming_strings = on; SET statement_timeout = 5000');
  const types = { getTypeParser: () => (value: string) => value };

  async function runAll(text: string): Promise<EngineOutcome> {
    try {
      const answer = await client.query({ text, rowMode: 'array', types } as pg.QueryArrayConfig);
      const ran = (Array.isArray(answer) ? answer : [answer]).filter(({ command }) => command !== null);
      const results = ran.map(({ fields, rows }) => [fields.map(({ name }: { name: string }) => name), ...rows]);
      return { kind: 'ran', results, wrote: ran.some(({ command }) => command !== 'SELECT') };
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      return SYNTAX.has(code ?? '') ? { kind: 'rejected' } : { kind: 'failed', message };
    }
  }

  return {
    lexer: postgresDialect.lexer,
    pieces: [
      ...["E'", "e'", "b'", "x'", "N'", "U&'", 'U&"', "UESCAPE '!'", '$$', '$t$', '$é$', '$1', '$1$', '\\', '@', '#'],
      ...['[', ']', '?', '!', '~', '::', "'a'\n'b'", "'a'\r'b'", "'a' --x\n'b'", "E'\\''\n'\\'", "'\n'", "' '"],
    ],
    names: ['"…"'],
    literals: [
      ...["'…'", "E'…'", "e'…'", "B'01'", "X'1F'", "N'…'", "U&'…'", '$$…$$', '$t$…$t$', '$é$…$é$', '$_1$…$_1$'],
      ...["'…'\n'…'", "E'…'\n'…'", "U&'\\0041'", '$1', '1e5', '.5', '5.', 'm1', '"m1"', 'U&"m1"', 'é$', 'a$b'],
    ],
    known(sql) {
      if (/uescape\s*'/i.test(sql)) return 'the character of UESCAPE, which is left out as what a string holds';
      return /u&"/i.test(sql) ? 'names in Unicode escapes, which the guard refuses' : undefined;
    },
    async run(sql) {
      const undo = MAY_WRITE.test(sql);
      if (undo) await client.query('BEGIN');
      const outcome = await runAll(sql);
      if (undo) await client.query('ROLLBACK');
      return outcome;
    },
    async stop() {
      await client.end();
      await server.stop();
    },
  };
}
