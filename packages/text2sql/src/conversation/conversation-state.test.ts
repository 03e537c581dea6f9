import { fromModel, memoryJournal, type RunEvent, type Solver } from '@askema/core';
import { scriptedModel } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { createText2Sql } from '../create-text2sql.ts';
import { scriptedAdapter } from '../fixtures/scripted-adapter.ts';
import { rewritten, scriptedConversation, textOfJournal } from '../fixtures/scripted-conversation.ts';
import { scriptedSolver } from '../fixtures/scripted-solver.ts';
import { plain } from '../flows/plain/plain.ts';
import { conversation } from './conversation.ts';

const inputOf = (asked: { readonly input: unknown } | undefined) => asked?.input as Record<string, unknown>;
const byCountry = rewritten({
  kind: 'refine',
  turn: 1,
  question: 'How many orders were there in 2023, by country?',
});

it('a conversation that begins anew under an id gets no answer of the one before', async () => {
  const runs = memoryJournal();
  const of = (written: readonly string[]) => scriptedConversation({ written, store: { journal: runs } }).chat;
  await of(['SELECT old']).say('How many orders?');
  expect((await of(['SELECT new']).say('How many orders?')).answer).toMatchObject({ sql: 'SELECT new' });
});

describe('several databases', () => {
  const two = (read: readonly ReturnType<typeof rewritten>[]) => {
    const open = (name: string) =>
      createText2Sql({
        adapter: scriptedAdapter(() => [[name]]),
        model: scriptedSolver([`SELECT ${name}`]),
        flow: plain(),
      });
    const reader = scriptedModel(read);
    return { reader, chat: conversation({ databases: { sales: open('sales'), hr: open('hr') }, model: reader }) };
  };

  it('the message says which one is meant, from the first one on', async () => {
    const { chat, reader } = two([rewritten({ question: 'How many people work here?', database: 'hr' })]);
    const turn = await chat.say('How many people work here?');
    expect(turn).toMatchObject({ understood: { database: 'hr' }, answer: { sql: 'SELECT hr' } });
    expect(JSON.stringify(reader.requests[0]?.messages)).toMatch(/Database sales:.*Database hr:/);
  });

  it('is asked back where nobody can tell, and can be said', async () => {
    const { chat } = two([rewritten({ question: 'How many?', database: 'hrs' })]);
    const turn = await chat.say('How many?');
    expect(turn.answer).toMatchObject({ ask: 'Which database is meant?', choices: [{ id: '1' }, { id: '2' }] });
    expect(await chat.say('hr')).toMatchObject({ understood: { question: 'How many?', database: 'hr' } });

    const said = two([]);
    expect((await said.chat.say('How many?', { database: 'hr' })).answer).toMatchObject({ sql: 'SELECT hr' });
    await expect(said.chat.say('x', { database: 'hq' })).rejects.toThrow(/hr/);
  });

  it('a statement of one database is not edited for the other', async () => {
    const { chat } = two([rewritten({ kind: 'refine', turn: 1, question: 'How many in HR?', database: 'hr' })]);
    await chat.say('How many?', { database: 'sales' });
    expect((await chat.say('and in HR?')).understood).toMatchObject({ kind: 'new', database: 'hr' });
  });
});

describe('undo and branch', () => {
  it('follow turn n, and leave what was there', async () => {
    const refine = (turn: number, question: string) => rewritten({ kind: 'refine', turn, question });
    const read = [refine(1, 'b'), refine(2, 'c'), refine(1, 'd'), refine(2, 'e')];
    const written = ['SELECT a', 'SELECT b', 'SELECT c', 'SELECT d', 'SELECT e'];
    const { chat, writer, shown } = scriptedConversation({ read, written });
    await chat.say('a');
    await chat.say('then b');
    expect(await chat.undo()).toMatchObject({ turn: 1, understood: { question: 'a' } });
    const third = await chat.say('then c');
    expect(third).toMatchObject({ turn: 3, after: 1, understood: { kind: 'new' } });
    expect(shown(1)).not.toContain('Turn 2');
    expect(await chat.branch(1)).toMatchObject({ turn: 1 });
    await chat.say('then d');
    expect(await chat.branch(2)).toMatchObject({ turn: 2 });
    await chat.say('then e');
    expect((await chat.turns()).map(({ turn }) => turn)).toEqual([1, 2, 5]);
    expect(inputOf(writer.asked[4]).follows).toMatchObject({ question: 'b', sql: 'SELECT b' });
    await expect(chat.branch(9)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await chat.branch(0);
    await expect(chat.undo()).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    expect(await chat.turns()).toEqual([]);
  });
});

describe('at the same time', () => {
  it('messages of one value wait for each other; another value is refused while one runs', async () => {
    const journal = memoryJournal();
    const { chat } = scriptedConversation({ read: [byCountry], written: ['SELECT 1', 'SELECT 2'] }, { journal });
    const other = scriptedConversation({ written: [] }, { journal });
    const both = Promise.all([chat.say('How many orders in 2023?'), chat.say('and by country?')]);
    await Promise.resolve();
    await expect(other.chat.say('Who?')).rejects.toMatchObject({ code: 'JOURNAL_LOCKED', retryable: true });
    expect((await both).map(({ turn, after }) => [turn, after])).toEqual([
      [1, 0],
      [2, 1],
    ]);
    expect(await other.chat.turns()).toHaveLength(2);
  });

  it('two conversations in one journal know nothing of each other', async () => {
    const journal = memoryJournal();
    const chats = ['a', 'b'].map((id) => scriptedConversation({ written: [`SELECT ${id}`] }, { journal, id }).chat);
    await Promise.all(chats.map((chat) => chat.say('Which?')));
    const turns = await Promise.all(chats.map((chat) => chat.turns()));
    expect(turns.map(([turn]) => turn?.answer)).toMatchObject([{ sql: 'SELECT a' }, { sql: 'SELECT b' }]);
  });

  it('a conversation of another tenant is as if it were not there', async () => {
    const journal = memoryJournal();
    const of = (tenant?: string) =>
      scriptedConversation({ written: ['SELECT 1'] }, { journal, ...(tenant && { tenant }) });
    await of('north').chat.say('Who?');
    expect(await of('south').chat.turns()).toEqual([]);
    expect(await of().chat.turns()).toEqual([]);
    expect((await of('south').chat.say('What?')).turn).toBe(1);
    expect((await of('north').chat.turns()).map(({ message }) => message)).toEqual(['Who?']);
  });
});

it('the journal holds no value of a result, and a turn is plain JSON', async () => {
  const journal = memoryJournal();
  const rows = () => [['canary-value', 12345678901234567890n]];
  const { chat } = scriptedConversation({ written: ['SELECT 1'], rows }, { journal });
  const { outcome, ...turn } = await chat.say('Who?');
  expect(outcome).toMatchObject({ result: { rows: [['canary-value', 12345678901234567890n]] } });
  expect(await textOfJournal(journal)).not.toMatch(/canary-value|12345678901234567890/);
  expect(JSON.parse(JSON.stringify(turn))).toEqual((await chat.turns())[0]);
});

it('tells what happens, as runs do, and never a row or a prompt', async () => {
  const events: RunEvent[] = [];
  const { chat } = scriptedConversation(
    { read: [byCountry], written: ['SELECT 1', 'SELECT 2'], rows: () => [['canary']] },
    { onEvent: (event) => events.push(event) },
  );
  await chat.say('How many orders in 2023?');
  events.length = 0;
  await chat.say('and by country?');
  const steps = events.flatMap((event) => ('step' in event ? [`${event.type} ${event.step}`] : [event.type]));
  expect(steps.slice(0, 4)).toEqual(['step-started read-message', 'call', 'step-finished read-message', 'run-started']);
  expect(steps.at(-1)).toBe('run-finished');
  expect(new Set(events.map(({ runId }) => runId)).size).toBe(1);
  expect(JSON.stringify(events)).not.toMatch(/canary|by country/);
});

describe('what goes wrong', () => {
  it('is in the turn, and the same message tries again', async () => {
    const reader = scriptedModel([new Error('no'), new Error('no'), byCountry]);
    const { chat } = scriptedConversation({ written: ['SELECT 1', 'SELECT 2'] }, { model: reader });
    await chat.say('How many orders in 2023?');
    const failed = await chat.say('and by country?');
    expect(failed.answer.type).toBe('failed');
    expect(failed.understood).toBeUndefined();
    await chat.say('and by country?');
    expect((await chat.say('and by country?')).answer.type).toBe('answered');
  });

  it('a turn that is over hears nothing of the signals that last: each would keep it in memory', async () => {
    const { chat, reader } = scriptedConversation({ written: ['SELECT 1', 'SELECT 2'], read: [byCountry] });
    const lasting = new AbortController();
    await chat.say('How many orders?', { signal: lasting.signal });
    await chat.say('and by country?', { signal: lasting.signal });
    await chat.close();
    lasting.abort();
    expect(reader.requests.map(({ context }) => context.signal?.aborted)).toEqual([false]);
  });

  it('a signal and closing stop it; a closed one takes nothing', async () => {
    const { chat } = scriptedConversation({ written: ['SELECT 1'] });
    expect((await chat.say('Who?', { signal: AbortSignal.abort() })).answer.type).toBe('cancelled');
    await chat.close();
    await expect(chat.say('Who?')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });

  it.each([
    [{ databases: {} }, /needs a database/],
    [{ id: '' }, /1 to 100/],
    [{ id: 'x\ud800' }, /1 to 100/],
    [{ model: {} as never }, /neither a language model nor a solver/],
  ])('options that make no sense are refused: %j', (options, message) => {
    expect(() => scriptedConversation({ written: [] }, options)).toThrow(message);
  });
});

describe('a conversation about one store', () => {
  it('is read by the model that answers, and leaves the store open', async () => {
    const reader = scriptedModel([rewritten({ kind: 'refine', turn: 1, question: 'How many in Italy?' })]);
    const adapter = scriptedAdapter((sql) => [[sql]]);
    const write = scriptedSolver(['SELECT 1', 'SELECT 2', 'SELECT 3']);
    const read = fromModel(reader);
    const model: Solver = {
      ...write,
      supports: (task) => write.supports(task) || task === 'conversation.rewrite',
      solve: (task, ...rest) => (write.supports(task.id) ? write : read).solve(task, ...rest),
    };
    await using store = createText2Sql({ adapter, model, flow: plain() });
    const chat = store.conversation({ id: 'ann-7' });
    expect(chat.id).toBe('ann-7');
    expect((await chat.say('How many?')).understood).toMatchObject({ kind: 'new', database: 'database' });
    expect(await chat.say('and in Italy?')).toMatchObject({
      understood: { kind: 'refine' },
      answer: { sql: 'SELECT 2' },
    });
    await chat.close();
    expect(adapter.closed).toBe(false);
    expect(await store.ask('How many now?')).toMatchObject({ type: 'answered' });
  });

  it('has the name and the reader that it is given', async () => {
    const store = createText2Sql({
      adapter: scriptedAdapter(() => [[1]]),
      model: scriptedSolver(['SELECT 1', 'SELECT 2']),
    });
    const reader = scriptedModel([rewritten({ question: 'b' })]);
    const chat = store.conversation({ name: 'shop', model: reader });
    expect((await chat.say('a')).understood?.database).toBe('shop');
    await chat.say('b?');
    expect(reader.requests).toHaveLength(1);
    expect(() => store.conversation({ name: 'no name' })).toThrow(/no name/);
    await store.close();
  });
});
