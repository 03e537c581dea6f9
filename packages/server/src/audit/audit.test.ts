import { appendFile, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AskemaError, resolveAdapter } from '@askema/core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { AuditLog } from '../contract.ts';
import type { Route } from '../routes/route.ts';
import { auditFolder, WHO } from '../testing/audit-folder.ts';
import { CANARY, CONTEXT, type FakeOptions, fakeDatabase, fakeServer, SQL_ROUTE } from '../testing/fake-database.ts';
import { audited } from './audited.ts';
import type { ReadAuditOptions } from './read-audit.ts';

const QUESTION = 'What does Grace earn?';
const { folder, file, auditTo, records } = auditFolder();
const open = async (log: AuditLog, options: FakeOptions = {}) => {
  const database = fakeDatabase(options);
  const { adapter } = await database.open({});
  return { database, adapter: audited(resolveAdapter(adapter), log, () => ({ ...WHO, question: QUESTION })) };
};

describe('what is written', () => {
  test('a line before the statement and one after it, without rows, texts, numbers, comments or secrets', async () => {
    const log = auditTo({ file });
    let linesWhenSent: string[] = [];
    const { adapter } = await open(log, {
      async *run() {
        linesWhenSent = (await readFile(file, 'utf8')).trim().split('\n');
        yield { type: 'columns', columns: [{ name: 'n', nativeType: '', type: 'TEXT' }] };
        yield { type: 'rows', rows: [[CANARY], [CANARY]] };
        yield { type: 'end', bytesProcessed: 12 };
      },
    });
    const sql = `SELECT users."na me", "Ada L" /* card 4111 */ FROM users -- token\n WHERE ssn = 'secret-ssn' AND id > 12345.6`;
    await adapter.query(sql, { parameters: ['parameter-canary'] });
    const text = await readFile(file, 'utf8');
    const lines = text.trim().split('\n');
    expect(linesWhenSent).toEqual(lines.slice(0, 1));
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        ...{ v: 1, phase: 'before', id: expect.any(String), at: expect.any(String), ...WHO, kind: 'statement' },
        question: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        sql: 'SELECT users."na me", ? FROM users WHERE ssn = ? AND id > ?',
      },
      {
        ...{ v: 1, phase: 'after', id: JSON.parse(lines[0] ?? '').id, at: expect.any(String), outcome: 'done' },
        ...{ rows: 2, bytes: 12, elapsedMs: expect.any(Number) },
      },
    ]);
    for (const secret of [CANARY, 'secret-ssn', '12345', '4111', 'token', 'parameter-canary', 'Grace'])
      expect(text).not.toContain(secret);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['text' as const, "SELECT 'x', 'password=[redacted]"],
    ['hash' as const, 'sha256:'],
  ])('as %s where that is chosen, and never a recognised secret', async (sql, begin) => {
    const { adapter } = await open(auditTo({ file, sql, question: 'text' }));
    await adapter.query("SELECT 'x', 'password=hunter2hunter2'");
    const [record] = await records();
    expect(record?.sql?.startsWith(begin)).toBe(true);
    expect(record?.question).toBe(QUESTION);
    expect(await readFile(file, 'utf8')).not.toContain('hunter2');
  });

  test.each(['redacted', 'text'] as const)(
    '%s: what stands in front of a statement hides nothing of it',
    async (sql) => {
      const { adapter } = await open(auditTo({ file, sql }));
      for (const front of [`/*${'x'.repeat(50_000)}*/`, ' '.repeat(50_000), `SELECT 1 AS ${'n'.repeat(50_000)} UNION`])
        await adapter.query(`${front} SELECT id FROM salaries`);
      await adapter.query(`SELECT ${'n, '.repeat(40_000)} id FROM salaries`);
      const written = (await records()).map((record) => record.sql ?? '');
      for (const whole of written.slice(0, 3)) expect(whole).toMatch(/SELECT id FROM salaries$/);
      expect(written[3]).toMatch(/ … \(cut: 1\d{5} characters, sha256:[0-9a-f]{64}\)$/);
    },
  );

  test('whatever is asked of the adapter has a line, also what it asks by itself', async () => {
    const { adapter } = await open(auditTo({ file }), {
      parts: {
        sampleValues: async () => ({}),
        diagnose: async () => ({ server: '', readOnly: { by: 'text', explanation: '' }, findings: [] }),
      },
    });
    const catalog = await adapter.introspect();
    const context = { runId: 'r', path: 'p', idempotencyKey: 'k', tags: {} };
    await adapter.sampleValues([], { catalog, limit: 1, timeoutMs: 1000, context });
    await adapter.planner.check('SELECT 1', { timeoutMs: 1000, context });
    await adapter.diagnose();
    const stream = await adapter.stream('SELECT 2');
    await stream.close();
    for await (const _ of adapter.executor.execute('SELECT 3', {
      maxRows: 1,
      maxBytes: 1,
      timeoutMs: 1000,
      access: 'read',
      context,
    }));
    const found = await records();
    expect(found.map(({ kind, end }) => [kind, end?.outcome])).toEqual([
      ['catalog', 'done'],
      ['sample', 'done'],
      ['plan', 'done'],
      ['diagnosis', 'done'],
      ['statement', 'cancelled'],
      ['statement', 'done'],
    ]);
  });

  test.each([
    ['failed', 'QUERY_FAILED', new AskemaError('QUERY_FAILED', `near ${CANARY}`)],
    ['refused', 'QUERY_NOT_READ_ONLY', new AskemaError('QUERY_NOT_READ_ONLY', 'It writes.')],
    ['cancelled', 'ABORTED', new AskemaError('ABORTED', 'Stopped.')],
  ])('how it ended: %s', async (outcome, code, error) => {
    const { adapter } = await open(auditTo({ file }), {
      // biome-ignore lint/correctness/useYield: it fails before its first row.
      async *run() {
        throw error;
      },
    });
    await expect(adapter.query('SELECT 1')).rejects.toMatchObject({ code });
    expect((await records())[0]?.end).toMatchObject({ outcome, code, rows: 0 });
    expect(await readFile(file, 'utf8')).not.toContain(CANARY);
  });
});

test('a statement whose line before cannot be written is not sent', async () => {
  const { adapter, database } = await open(auditTo({ file: join(folder, 'missing', 'audit.jsonl') }));
  await expect(adapter.query('SELECT 1')).rejects.toMatchObject({ code: 'INTERNAL' });
  await expect(adapter.introspect()).rejects.toMatchObject({ code: 'INTERNAL' });
  expect(database.asked).toEqual([]);
});

test('a statement that hiding refuses is never sent, and is written down with who tried', async () => {
  const database = fakeDatabase();
  const grace = { subject: 'grace', tenant: 'acme', role: 'clerk', scopes: ['sql'], hide: ['users.ssn'] };
  const audit = auditTo({ file });
  const { sql, server } = fakeServer([grace], { databases: { shop: database }, audit });
  expect((await sql('grace', 'shop', 'SELECT ssn FROM users')).status).toBe(403);
  expect((await sql('grace', 'shop', 'SELECT name FROM users')).status).toBe(200);
  await server.close();
  const statements = (await records()).filter(
    ({ kind, sql: text }) => kind === 'statement' && text?.includes('FROM users'),
  );
  expect(
    statements.map(({ subject, tenant, role, route, end }) => [subject, tenant, role, route, end?.outcome]),
  ).toEqual([
    ['grace', 'acme', 'clerk', 'POST /sql/:database', 'refused'],
    ['grace', 'acme', 'clerk', 'POST /sql/:database', 'done'],
  ]);
  // No statement without its line, those of the restriction among them.
  const sent = (await records()).filter(({ kind, end }) => kind === 'statement' && end?.outcome !== 'refused');
  expect(sent.map(({ sql: text }) => text?.slice(0, 10))).toEqual(
    database.asked.map((each) => each.slice(12, 22).replace(/\d/, '?')),
  );
  expect(database.asked.filter((each) => each.includes('ssn'))).toEqual([]);
});

test('what hiding refuses to plan, for all or for one, is written down as refused', async () => {
  const database = { ...fakeDatabase(), hide: ['users.id'] };
  const callers = [{ subject: 'grace', scopes: ['sql'], hide: ['users.ssn'] }];
  const check: Route = {
    ...SQL_ROUTE,
    async handle(call) {
      const { sql } = await call.body(z.object({ sql: z.string() }));
      const { adapter } = await call.database('shop');
      return adapter.planner.check(sql, { timeoutMs: 1_000, context: CONTEXT });
    },
  };
  const { sql, server } = fakeServer(callers, { databases: { shop: database }, audit: auditTo({ file }) }, [check]);
  for (const column of ['ssn', 'id', 'name']) await sql('grace', 'shop', `SELECT ${column} FROM users`);
  await server.close();
  const plans = (await records()).filter(
    ({ kind, sql: text }) => kind === 'plan' && /^SELECT \w+ FROM/.test(text ?? ''),
  );
  expect(plans.map(({ sql: text, end }) => [text, end?.outcome])).toEqual([
    ['SELECT ssn FROM users', 'refused'],
    ['SELECT id FROM users', 'refused'],
    ['SELECT name FROM users', 'done'],
  ]);
});

test('a statement that the engine fails under a restriction has one line before and one after', async () => {
  const database = fakeDatabase({
    async *run(sql) {
      if (sql.includes('FROM users')) throw new AskemaError('QUERY_FAILED', 'No such function.');
      yield { type: 'columns', columns: [] };
      yield { type: 'end' };
    },
  });
  const audit = auditTo({ file });
  const grace = { subject: 'grace', scopes: ['sql'], hide: ['users.ssn'] };
  const { sql, server } = fakeServer([grace], { databases: { shop: database }, audit });
  expect((await sql('grace', 'shop', 'SELECT name FROM users')).status).toBe(422);
  await server.close();
  const ofUsers = (await records()).filter(({ kind, sql: text }) => kind === 'statement' && text?.includes('users'));
  expect(ofUsers.map(({ end }) => end?.outcome)).toEqual(['failed']);
});

describe('readAudit', () => {
  const write = async (log: AuditLog, subject: string, database: string, end?: 'done' | 'failed') => {
    const id = await log.before({ ...WHO, subject, database, kind: 'statement', sql: 'SELECT 1' });
    if (end !== undefined) await log.after(id, { outcome: end, rows: 1, elapsedMs: 2 });
  };

  test('selects by time, caller, database and outcome', async () => {
    let now = Date.parse('2026-01-01T10:00:00Z');
    const log = auditTo({ file, runtime: { clock: { now: () => now } } });
    await write(log, 'ada', 'shop', 'done');
    now += 60_000;
    await write(log, 'bob', 'shop', 'failed');
    now += 60_000;
    await write(log, '__proto__', 'constructor', 'done');
    await write(log, 'ada', 'hr');
    const found = async (options: ReadAuditOptions) =>
      (await records(options)).map(({ subject, database }) => `${subject}@${database}`);
    expect(await found({})).toEqual(['ada@shop', 'bob@shop', '__proto__@constructor', 'ada@hr']);
    expect(await found({ since: new Date('2026-01-01T10:01:00Z'), until: new Date('2026-01-01T10:02:00Z') })).toEqual([
      'bob@shop',
    ]);
    expect(await found({ subject: 'ada' })).toEqual(['ada@shop', 'ada@hr']);
    expect(await found({ subject: '__proto__', tenant: 'acme' })).toEqual(['__proto__@constructor']);
    expect(await found({ tenant: 'other' })).toEqual([]);
    expect(await found({ database: 'shop', outcome: 'failed' })).toEqual(['bob@shop']);
    expect(await found({ outcome: 'open' })).toEqual(['ada@hr']);
  });

  test('passes over a torn last line, and the next process does not write into it', async () => {
    const first = auditTo({ file });
    await write(first, 'ada', 'shop', 'done');
    await write(first, 'bob', 'shop');
    await first.close?.();
    await truncate(file, (await stat(file)).size - 20);
    const unreadable: number[] = [];
    const subjects = async () =>
      (await records({ onUnreadable: (line) => unreadable.push(line) })).map(({ subject }) => subject);
    expect(await subjects()).toEqual(['ada']);
    expect(unreadable).toEqual([3]);
    const second = auditTo({ file });
    await write(second, 'eve', 'shop', 'done');
    expect(await subjects()).toEqual(['ada', 'eve']);
  });

  test('a line that somebody made up is passed over', async () => {
    await writeFile(file, '{"v":1}\nnull\n{"__proto__":{"phase":"before"}}\n');
    const log = auditTo({ file });
    await write(log, 'ada', 'shop', 'done');
    await appendFile(
      file,
      '{"v":1,"at":"2026-01-01T00:00:00Z","phase":"after","id":"unknown","outcome":"done","rows":1,"elapsedMs":1}\n',
    );
    expect((await records()).map(({ subject }) => subject)).toEqual(['ada']);
  });

  test('a file that is not there is an error', async () => {
    await expect(records()).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });
});
