import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ModelRequest, memoryJournal } from '@askema/core';
import { scriptedModel } from '@askema/testkit';
import { plain } from '@askema/text2sql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { fileAudit } from '../audit/file-audit.ts';
import { type AuditRecord, readAudit } from '../audit/read-audit.ts';
import type { Caller, ServedDatabase } from '../contract.ts';
import type { Route } from '../routes/route.ts';
import { fakeDatabase, fakeServer } from '../testing/fake-database.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'askema-questions-'));
});
afterEach(() => rm(folder, { recursive: true }));

const ASK_ROUTE: Route = {
  method: 'POST',
  path: '/ask/:database',
  scope: 'ask',
  async handle(call) {
    const { question, runId } = await call.body(z.object({ question: z.string(), runId: z.string().optional() }));
    const { text2sql } = await call.database(call.param('database'));
    call.beginQuestion(question);
    const { type } = await text2sql.ask(question, { signal: call.signal, tenant: 'forged', runId });
    return { type };
  },
};

/** Answers with a statement, after others had their turn; each call takes 20 tokens. */
const model = (seen: ModelRequest[] = []) =>
  scriptedModel(async (request) => {
    seen.push(request);
    await new Promise((resolve) => setImmediate(resolve));
    return {
      json: { outcome: 'sql', sql: 'SELECT name FROM users', explanation: 'as asked', not_understood: [] },
      usage: { inputTokens: 10, outputTokens: 10 },
    };
  });

function asking(shop: ServedDatabase, own: ReturnType<typeof model>): ServedDatabase {
  return { open: async (who) => ({ ...(await shop.open(who)), text2sql: { model: own, flow: plain() } }) };
}

const caller = (subject: string, tenant: string, more: Partial<Caller> = {}): Caller => ({
  ...{ subject, tenant, scopes: ['*'] },
  ...more,
});

test('callers who share a database are told apart: in the audit, in the tokens, and for the vendor', async () => {
  const shop = fakeDatabase();
  const seen: ModelRequest[] = [];
  const file = join(folder, 'audit.jsonl');
  const audit = fileAudit({ file, question: 'text' });
  const names = Array.from({ length: 8 }, (_, index) => `caller-${index}`);
  const callers = names.map((name) => caller(name, 'acme', { limits: { tokensPerDay: 100_000 } }));
  const { send, server } = fakeServer(callers, { databases: { shop: asking(shop, model(seen)) }, audit }, [ASK_ROUTE]);
  const ask = async (name: string) => {
    const response = await send('/ask/shop', name, { method: 'POST', body: `{"question":"How many, ${name}?"}` });
    return response.json();
  };
  expect(await Promise.all(names.map(ask))).toEqual(names.map(() => ({ type: 'answered' })));
  await server.close();
  expect(shop.opened).toEqual(['acme/-']);
  const records: AuditRecord[] = [];
  for await (const record of readAudit(file)) records.push(record);
  const statements = records.filter(({ sql }) => sql === 'SELECT name FROM users');
  expect(new Set(statements.map(({ subject }) => subject))).toEqual(new Set(names));
  for (const { subject, question, tenant, end } of statements)
    expect({ question, tenant, outcome: end?.outcome }).toEqual({
      ...{ question: `How many, ${subject}?`, tenant: 'acme', outcome: 'done' },
    });
  expect(records.every(({ subject, end }) => names.includes(subject) && end !== undefined)).toBe(true);
  expect(new Set(seen.map(({ context }) => context.tenant))).toEqual(new Set(['acme']));
});

test('a caller whose tokens are used up gets no further, and others do', async () => {
  const callers = ['ada', 'bob'].map((name) => caller(name, 'acme'));
  const limits = { tokensPerDay: 7_000 };
  const { send } = fakeServer(callers, { databases: { shop: asking(fakeDatabase(), model()) }, limits }, [ASK_ROUTE]);
  const ask = async (name: string) =>
    (await (await send('/ask/shop', name, { method: 'POST', body: '{"question":"How many?"}' })).json()) as {
      type: string;
    };
  const types = new Set<string>();
  for (let question = 0; question < 200; question += 1) types.add((await ask('ada')).type);
  expect([...types]).toEqual(['answered', 'budgetExceeded']);
  expect((await ask('bob')).type).toBe('answered');
});

test('the run of one tenant is another one for the next, whatever its id', async () => {
  const journal = memoryJournal();
  const seen: ModelRequest[] = [];
  const callers = [caller('ada', 'north'), caller('bob', 'south')];
  const databases = { shop: asking(fakeDatabase(), model(seen)) };
  const { send } = fakeServer(callers, { databases, journal }, [ASK_ROUTE]);
  for (const name of ['ada', 'bob', 'ada']) {
    const response = await send('/ask/shop', name, { method: 'POST', body: '{"question":"How many?","runId":"mine"}' });
    expect(await response.json()).toEqual({ type: 'answered' });
  }
  // The second time it is known, for its own tenant.
  expect(seen.map(({ context }) => context.tenant)).toEqual(['north', 'south']);
});

test('a database without a model says so', async () => {
  const { send } = fakeServer([caller('ada', 'north')], { databases: { shop: fakeDatabase() } }, [ASK_ROUTE]);
  const response = await send('/ask/shop', 'ada', { method: 'POST', body: '{"question":"How many?"}' });
  expect(await response.json()).toEqual({ type: 'failed' });
});
