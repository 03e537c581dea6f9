import { type QueryResult, resolveAdapter } from '@askema/core';
import { lexical } from '@askema/lexical';
import { sqlite } from '@askema/sqlite';
import { createText2Sql } from '@askema/text2sql';
import { type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { FakeBuiltModel } from '@langchain/core/testing';
import { Command, interrupt, MemorySaver } from '@langchain/langgraph';
import { createAgent } from 'langchain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askemaTools } from '../askema-tools.ts';
import type { ToolReply } from '../contract.ts';
import { fakeDatabase } from '../fixtures/fake-database.ts';
import { fakeTool } from '../fixtures/fake-tool.ts';
import { answered, askedBack, resultOf } from '../fixtures/outcomes.ts';
import { toLangChainTools } from './to-langchain-tools.ts';

const file = new URL('../../../../examples/store.sqlite', import.meta.url).pathname;
const adapter = resolveAdapter(sqlite({ file }));
const text2sql = createText2Sql({ adapter, model: lexical() });
const made = askemaTools({ databases: { store: { text2sql, adapter } }, maxRows: 500, maxCharacters: 200_000 });

beforeAll(() => text2sql.catalog());
afterAll(() => text2sql.close());

type Call = Parameters<FakeBuiltModel['respondWithTools']>[0][number];

/** A model by a script: it calls, and then it speaks. */
function modelThatCalls(...calls: Call[]): FakeBuiltModel {
  return new FakeBuiltModel().respondWithTools(calls).respond((messages) => messages.at(-1) ?? new Error('Nothing.'));
}

const resultsIn = (messages: readonly BaseMessage[]): ToolMessage[] =>
  messages.filter((message): message is ToolMessage => ToolMessage.isInstance(message));

test('an agent asks and runs SQL; the application gets all rows, the model a part of them', async () => {
  const tools = toLangChainTools(made, { modelCharacters: 2_000 });
  const model = modelThatCalls(
    { name: 'ask', args: { question: 'How many customers are there?' }, id: '1' },
    { name: 'run_sql', args: { sql: 'SELECT customer_id, name, email FROM customers ORDER BY 1' }, id: '2' },
  );
  const { messages } = await createAgent({ model, tools }).invoke({ messages: 'Go.' });
  const [asked, ran] = resultsIn(messages).map(({ artifact }) => artifact as ToolReply<Record<string, unknown>>);
  expect(asked).toMatchObject({ isError: false, structured: { type: 'answered' } });
  expect((ran?.structured.result as QueryResult | undefined)?.rows.length).toBeGreaterThan(100);
  const [answer, result] = resultsIn(model.calls[1]?.messages ?? []);
  expect(answer?.content).toContain('SELECT COUNT(*) FROM customers');
  expect(result?.text.length).toBeLessThanOrEqual(2_000);
  expect(result?.content).toMatch(/^Lines left out at the end of the block: \d+\..*<<<end \w+>>>$/s);
  expect(tools.map(({ name }) => name)).toEqual(made.map(({ name }) => name));
});

test('what the guard refuses, and what is no input, are errors that the model reads', async () => {
  const model = modelThatCalls(
    { name: 'run_sql', args: { sql: 'DELETE FROM customers' }, id: '1' },
    { name: 'ask', args: { qestion: 'How many customers?' }, id: '2' },
    { name: 'run_sql', args: { sql: 'SELECT 1', maxRows: 5_000 }, id: '3' },
  );
  await createAgent({ model, tools: toLangChainTools(made) }).invoke({ messages: 'Go.' });
  expect(resultsIn(model.calls[1]?.messages ?? [])).toMatchObject([
    { status: 'error', content: expect.stringContaining('QUERY_NOT_READ_ONLY') },
    { status: 'error', content: expect.stringContaining('INPUT_INVALID') },
    { status: 'error', content: expect.stringMatching(/maxRows.*5000.*500/s) },
  ]);
});

/** An agent whose statement never ends, when it began, and what it came to. */
function agentAtWork() {
  const began = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<unknown>();
  const heard = {
    ...text2sql,
    stream(...given: Parameters<typeof text2sql.stream>) {
      const stream = text2sql.stream(...given);
      ended.resolve(stream.catch((error: unknown) => error));
      setImmediate(began.resolve);
      return stream;
    },
  };
  const sql = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
  const model = modelThatCalls({ name: 'run_sql', args: { sql }, id: '1' });
  const tools = toLangChainTools(askemaTools({ databases: { store: { text2sql: heard, adapter } } }));
  return { agent: createAgent({ model, tools }), began: began.promise, ended: ended.promise };
}

test('an abort of the agent stops the statement', async () => {
  const { agent, began, ended } = agentAtWork();
  const controller = new AbortController();
  began.then(() => controller.abort());
  await expect(agent.invoke({ messages: 'Go.' }, { signal: controller.signal })).rejects.toThrow(/abort/i);
  expect(await ended).toMatchObject({ code: 'ABORTED' });
});

test('whoever leaves the stream of the agent stops the statement', async () => {
  const { agent, began, ended } = agentAtWork();
  for await (const { event } of await agent.stream({ messages: 'Go.' }, { streamMode: 'tools' })) {
    if (event !== 'on_tool_event') continue;
    await began;
    break;
  }
  expect(await ended).toMatchObject({ code: 'ABORTED' });
});

test('the steps of a call are events of the tool', async () => {
  const model = modelThatCalls({ name: 'ask', args: { question: 'How many customers are there?' }, id: '1' });
  const steps: unknown[] = [];
  const handleToolEvent = (event: unknown) => void steps.push(event);
  await createAgent({ model, tools: toLangChainTools(made) }).invoke(
    { messages: 'Go.' },
    { callbacks: [{ handleToolEvent }] },
  );
  expect(steps.length).toBeGreaterThan(1);
  expect(steps[0]).toEqual({ state: 'working', step: 'ask' });
});

/** An agent whose question is asked back, twice. The other one is that of another process. */
function agentAskedBack() {
  const outcomes = [askedBack(), askedBack({ ask: 'Which year?', runId: 'r2' }), answered(resultOf([[42]]))];
  const database = fakeDatabase(outcomes);
  const shop = askemaTools({ databases: { shop: database } });
  const model = modelThatCalls({ name: 'ask', args: { question: 'How many orders?' }, id: '1' });
  const checkpointer = new MemorySaver();
  const tools = () => toLangChainTools(shop, { interrupt, tenant: 'north' });
  const begin = () => createAgent({ model, tools: tools(), checkpointer });
  const thread = { configurable: { thread_id: 'a' } };
  return { ...database, agent: begin(), other: begin(), tools: tools(), model, thread };
}

const askedIn = (state: object) =>
  (state as { __interrupt__?: { value: { ask: string; resume: string } }[] }).__interrupt__?.[0]?.value;

test('a question that is asked back interrupts the graph, and the answer goes on with the same run', async () => {
  const { agent, model, asked, resumed, thread } = agentAskedBack();
  const first = askedIn(await agent.invoke({ messages: 'Go.' }, thread));
  expect(first).toEqual({
    ask: 'Placed or shipped?',
    choices: [
      { id: '1', meaning: 'By the day of the order.' },
      { id: '2', meaning: 'By the day of shipping.' },
    ],
    resume: expect.any(String),
  });
  const next = await agent.invoke(new Command({ resume: { resume: first?.resume, choice: '2' } }), thread);
  const second = askedIn(next);
  expect(second?.ask).toBe('Which year?');
  const { messages } = await agent.invoke(new Command({ resume: { resume: second?.resume, choice: '2024' } }), thread);
  expect(resultsIn(messages)).toMatchObject([{ status: 'success', content: expect.stringContaining('42') }]);
  expect(asked).toMatchObject([{ question: 'How many orders?', options: { tenant: 'north' } }]);
  expect(resumed).toMatchObject([
    { runId: 'r1', options: { answer: '2' } },
    { runId: 'r2', options: { answer: '2024' } },
  ]);
  expect(model.callCount).toBe(2);
});

test('whoever declines leaves the question to the agent', async () => {
  const { agent, resumed, thread } = agentAskedBack();
  await agent.invoke({ messages: 'Go.' }, thread);
  const { messages } = await agent.invoke(new Command({ resume: 'no' }), thread);
  expect(resultsIn(messages)).toMatchObject([{ content: expect.stringContaining('Placed or shipped?') }]);
  expect(resumed).toEqual([]);
});

test('where no graph can be stopped, the question is a reply', async () => {
  const { tools, model } = agentAskedBack();
  const { messages } = await createAgent({ model, tools }).invoke({ messages: 'Go.' });
  const question = expect.stringContaining('Placed or shipped?');
  expect(resultsIn(messages)).toMatchObject([{ status: 'success', content: question }]);
  expect(await agentAskedBack().tools[0]?.invoke({ question: 'How many orders?' })).toEqual(question);
});

test('a process that has not kept the question asks it again, and then takes the answer', async () => {
  const { agent, other, asked, resumed, thread } = agentAskedBack();
  const first = askedIn(await agent.invoke({ messages: 'Go.' }, thread));
  const { messages } = await other.invoke(new Command({ resume: { resume: first?.resume, choice: '2' } }), thread);
  expect(resultsIn(messages)).toMatchObject([{ status: 'success', content: expect.stringContaining('42') }]);
  expect(asked).toHaveLength(2);
  expect(resumed).toMatchObject([{ runId: 'r1', options: { answer: '2' } }]);
});

test('an answer that names another question is refused', async () => {
  const { agent, resumed, thread } = agentAskedBack();
  await agent.invoke({ messages: 'Go.' }, thread);
  const strange = new Command({ resume: { resume: 'of another', choice: '2' } });
  const { messages } = await agent.invoke(strange, thread);
  expect(resultsIn(messages)).toMatchObject([{ status: 'error', content: expect.stringContaining('INPUT_INVALID') }]);
  expect(resumed).toEqual([]);
});

test('without `interrupt` the question is a reply', async () => {
  const ask = async () => ({ structured: { type: 'needsClarification' }, text: 'Which?', isError: false });
  const [tool] = toLangChainTools([fakeTool(ask)]);
  expect(await tool?.invoke({ question: 'How many?' })).toBe('Which?');
});
