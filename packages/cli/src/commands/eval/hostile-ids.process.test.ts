import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { SHOP_SQL, type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

let project: TemporaryProject;
beforeEach(() => {
  project = temporaryProject();
});
afterEach(() => project.remove());

const rows = (...ids: readonly string[]): string =>
  ids.map((id, n) => JSON.stringify({ id: `q${n}`, question: 'q', gold_sql: 'SELECT 1', db_id: id })).join('\n');

const evaluate = (database: string, env: Readonly<Record<string, string>> = {}) =>
  runInProcess(['eval', 'run', 'q.jsonl', '--database', database, '--model', 'lexical', '--out', 'o'], {
    cwd: project.folder,
    env,
  });

/**
 * A server that asks for a password in clear text, keeps what it is told, and then says that there is no such database.
 */
async function listen(host: string): Promise<{ port: number; told: string[]; close(): Promise<void> }> {
  const told: string[] = [];
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    let messages = 0;
    socket.on('data', (data) => {
      told.push(data.toString('latin1'));
      messages += 1;
      if (messages === 1) socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
      else socket.end(errorResponse('SFATAL\0C3D000\0Mdatabase does not exist\0\0'));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as { port: number };
  return { port, told, close: () => new Promise((resolve) => void server.close(() => resolve())) };
}

function errorResponse(fields: string): Buffer {
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, Buffer.from(fields, 'latin1')]);
}

describe('a dataset of somebody else', () => {
  it('reaches no other host, and the password goes to the one of --database', async () => {
    const right = await listen('127.0.0.1');
    const other = await listen('127.0.0.2');
    const ids = [`shop?host=127.0.0.2&port=${other.port}`, `x?port=${other.port}`, `@127.0.0.2#${right.port}`];
    project.write('q.jsonl', rows(...ids));
    await evaluate(`postgres://reader@127.0.0.1:${right.port}/{id}`, { PGPASSWORD: 'only-for-tests' });
    await Promise.all([right.close(), other.close()]);
    expect(other.told).toEqual([]);
    const told = right.told.join('\n');
    for (const id of ids) expect(told).toContain(`database\0${id}\0`);
    expect(told).toContain('only-for-tests');
  });

  it.each(['x/{id}', 'postgres://127.0.0.1:1/{id}', 'snowflake://account/{id}', 'bigquery://project/{id}'])(
    'with an id that is no name is told by its line before anything is opened: %s',
    async (database) => {
      project.write('q.jsonl', rows('..', '../shop', ':memory:'));
      const { code, stderr } = await evaluate(database);
      expect(stderr).toContain('Line 1 is no question: db_id: ".." cannot be a name: it consists of dots');
      expect(stderr).toContain('Line 2 is no question: db_id: "../shop" cannot be a name: it has a slash');
      expect(stderr).toContain('Line 3 is no question: db_id: ":memory:" cannot be a name: it has a colon');
      expect(code).toBe(2);
    },
  );

  it('with an id that the engine cannot name is refused', async () => {
    project.write('q.jsonl', rows('shop', 'evil-project.shop'));
    const { code, stderr } = await evaluate('bigquery://project/{id}');
    expect(stderr).toMatch(/Line 2: .*"evil-project\.shop" cannot be a dataset of BigQuery/);
    expect(code).toBe(2);
  });

  it('with a path for an id takes no part in an address', async () => {
    project.write('q.csv', 'question,sql,database\nq,SELECT 1,sub/shop.sqlite\n');
    const { code, stderr } = await runInProcess(
      ['eval', 'run', 'q.csv', '--database', 'postgres://127.0.0.1:1/{id}', '--model', 'lexical', '--out', 'o'],
      { cwd: project.folder },
    );
    expect(stderr).toMatch(/Line 2: .*"sub\/shop\.sqlite" cannot be a name: it has a slash/);
    expect(code).toBe(2);
  });

  it('a harmless id with odd characters opens its own database', async () => {
    const names = ['two words', 'Größe #1', 'a.b-c', '50%', "$&'"];
    mkdirSync(project.path('sets'));
    for (const name of names) project.database(`sets/${name}.sqlite`, SHOP_SQL);
    project.write('q.jsonl', rows(...names));
    const { stdout } = await evaluate('sets/{id}.sqlite');
    expect(stdout).not.toContain('DATABASE_NOT_FOUND');
    const byUrl = await evaluate(`file://${project.folder}/sets/{id}.sqlite`);
    expect(byUrl.stdout).not.toContain('DATABASE_NOT_FOUND');
  });
});
