import { type Message, type ModelRequest, memoryJournal, textOf } from '@askema/core';
import type { ScriptedModel } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { createText2Sql } from '../../create-text2sql.ts';
import { failedQuery, scriptedAdapter } from '../../fixtures/scripted-adapter.ts';
import { refine } from './refine.ts';
import {
  type Answer,
  askRefine,
  BARE,
  changes,
  checks,
  keeps,
  type Script,
  taskOf,
  threadModel,
  writes,
} from './refine-fixture.ts';
import type { RefineOptions } from './refine-options.ts';

const echo: Answer = (sql) => (sql.includes('bad') ? failedQuery(`no such column in ${sql.length}`) : [[sql]]);
const CHAT: RefineOptions = { rules: { conversation: true, review: 'always' }, limits: { threads: 1 } };

/** Writes a statement that fails, then one that its review changes, then keeps: by what the prompt says, as a model. */
const ROUNDS: Script = {
  write: ({ thread, prompt }) => writes(`SELECT ${prompt.includes('bad_') ? 'good' : 'bad'}_${thread}`),
  review: ({ thread, prompt }) => (prompt.includes('better_') ? keeps : changes(`SELECT better_${thread}`)),
};

const chatOf = ({ requests }: ScriptedModel, thread = 0): readonly ModelRequest[] =>
  requests.filter((one) => one.sample === thread && ['refine-sql', 'review-result'].includes(taskOf(one)));
const textsOf = (messages: readonly Message[]): readonly string[] => messages.map(({ content }) => textOf(content));
const times = (request: ModelRequest | undefined, text: string): number =>
  textsOf(request?.messages ?? [])
    .join('\n')
    .split(text).length - 1;

describe('a thread that is one chat', () => {
  it('sends a whole prompt, and then what was said with only what is new behind it', async () => {
    const model = threadModel(ROUNDS);
    const { outcome } = await askRefine(echo, model, CHAT);
    expect(outcome).toMatchObject({ type: 'answered', sql: 'SELECT better_0', calls: 5, executions: 3 });
    const chat = chatOf(model);
    expect(chat.map(taskOf)).toEqual(['refine-sql', 'refine-sql', 'review-result', 'review-result']);
    for (const [at, { messages }] of chat.entries()) {
      const before = chat[at - 1]?.messages ?? [];
      expect(messages.slice(0, before.length)).toEqual(before);
      const added = messages.slice(before.length).map(({ role }) => role);
      expect(added).toEqual(at === 0 ? ['system', 'user'] : ['assistant', 'user']);
    }
    // Each stands there by the reply that wrote it alone.
    expect(chat.map((request) => times(request, 'bad_0'))).toEqual([0, 1, 1, 1]);
    expect(times(chat[3], 'CREATE TABLE customer')).toBe(1);
    expect(times(chat[3], 'The expected format of the answer')).toBe(1);
    expect(times(chat[1], 'no such column in')).toBe(1);
    expect(textsOf(chat[3]?.messages ?? []).at(-1)).toContain('SELECT better_0');
  });

  it('begins with the prompt of a thread that is none, which repeats what was tried', async () => {
    const [model, other] = [threadModel(ROUNDS), threadModel(ROUNDS)];
    await askRefine(echo, model, CHAT);
    await askRefine(echo, other, { ...CHAT, rules: { review: 'always' } });
    const [first, second] = chatOf(other);
    expect(chatOf(model)[0]?.messages).toEqual(first?.messages);
    expect(second?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(times(second, 'Tried before')).toBe(1);
  });

  it('knows nothing of other threads, nor they of it; format, exploration and the CTE stage ask by themselves', async () => {
    const model = threadModel({
      ...ROUNDS,
      write: ({ thread, visit }) => writes(`SELECT bad_${thread}_${visit}`),
      ctes: () => ({ json: { thinking: '', steps: [], sql: '', explanation: '' } }),
    });
    const stages = { exploration: true, cte: true };
    await askRefine(echo, model, { ...CHAT, stages, limits: { threads: 2, maxIterations: 3 } });
    for (const thread of [0, 1]) {
      const chat = chatOf(model, thread);
      expect(chat).toHaveLength(3);
      expect(times(chat[2], `bad_${thread}_`)).toBe(2);
      expect(times(chat[2], 'no such column in')).toBe(2);
      expect(times(chat[2], `bad_${1 - thread}`)).toBe(0);
    }
    const others = model.requests.filter((request) => !['refine-sql', 'review-result'].includes(taskOf(request)));
    expect(new Set(others.map(taskOf))).toEqual(new Set(['expect-format', 'explore-columns', 'write-ctes']));
    for (const { messages } of others) expect(messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(times(others.at(-1), 'Tried before')).toBe(3);
  });

  it('shows an empty result and each check of it once', async () => {
    const model = threadModel({ review: ({ visit }) => [checks('SELECT bad'), checks('SELECT 2'), keeps][visit - 1] });
    const nothing: Answer = (sql, options) => (sql.includes('name') ? [] : echo(sql, options));
    const { outcome } = await askRefine(nothing, model, CHAT);
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [] } });
    const last = chatOf(model).at(-1);
    const once = ['What your last statement gave', 'no such column in', 'Your check failed', 'Your check gave'];
    expect(once.map((text) => times(last, text))).toEqual([1, 1, 1, 1]);
  });

  it.each([1, 2, 3, 4])('is taken up by a resumed run behind call %i, with the same messages', async (maxCalls) => {
    const whole = threadModel(ROUNDS);
    await askRefine(echo, whole, CHAT);
    const [journal, broken] = [memoryJournal(), threadModel(ROUNDS)];
    const more = { options: { journal, budget: { maxCalls } }, ask: { runId: 'r1' } };
    const { outcome } = await askRefine(echo, broken, CHAT, more);
    expect(outcome).toMatchObject({ type: 'budgetExceeded', calls: maxCalls });
    const again = threadModel(ROUNDS);
    const flow = refine({ ...CHAT, stages: BARE });
    const text2sql = createText2Sql({ adapter: scriptedAdapter(echo), model: again, flow, journal });
    expect(await text2sql.resume('r1')).toMatchObject({ type: 'answered', sql: 'SELECT better_0', calls: 5 });
    const sent = [...broken.requests, ...again.requests].map(({ messages }) => messages);
    expect(sent).toEqual(whole.requests.map(({ messages }) => messages));
  });

  it('asks for a part of the schema in the chat', async () => {
    const model = threadModel({
      write: ({ visit }) => writes('SELECT name', { expand: visit === 1 ? ['customer'] : [] }),
    });
    const { outcome } = await askRefine(echo, model, CHAT, { options: { maxSchemaTokens: 1 } });
    expect(outcome).toMatchObject({ type: 'answered' });
    const last = textsOf(chatOf(model)[1]?.messages ?? []).at(-1);
    expect(last).toMatch(/^More of the schema[\s\S]*CREATE TABLE customer[\s\S]*Now write the statement[^\n]*$/);
  });
});
