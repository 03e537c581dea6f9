import { AskemaError, memoryJournal } from '@askema/core';
import { scriptedModel } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { createText2Sql } from '../create-text2sql.ts';
import { scriptedAdapter } from '../fixtures/scripted-adapter.ts';
import { rewritten, scriptedConversation } from '../fixtures/scripted-conversation.ts';
import { scriptedSolver, sqlOutput } from '../fixtures/scripted-solver.ts';
import { plain } from '../flows/plain/plain.ts';
import { conversation } from './conversation.ts';

const inputOf = (asked: { readonly input: unknown } | undefined) => asked?.input as Record<string, unknown>;
const byCountry = rewritten({
  kind: 'refine',
  turn: 1,
  question: 'How many orders were there in 2023, by country?',
});

describe('a follow-up', () => {
  it('is asked as a question that stands alone, with the statement that it changes', async () => {
    const { chat, reader, writer, shown } = scriptedConversation({
      read: [byCountry],
      written: ['SELECT count(*) FROM orders', 'SELECT country, count(*) FROM orders GROUP BY 1'],
    });
    const first = await chat.say('How many orders were there in 2023?', { today: '2024-03-09' });
    expect(first).toMatchObject({
      turn: 1,
      after: 0,
      understood: { kind: 'new' },
      outcome: { type: 'answered' },
    });
    expect(reader.requests).toHaveLength(0);
    const second = await chat.say('and by country?', { today: '2024-03-09' });
    expect(second).toMatchObject({
      turn: 2,
      after: 1,
      message: 'and by country?',
      understood: { kind: 'refine', of: 1, question: byCountry.json.question },
      answer: { type: 'answered', columns: ['c0'], rows: 1 },
      outcome: { question: byCountry.json.question, sql: 'SELECT country, count(*) FROM orders GROUP BY 1' },
    });
    expect(second.calls).toBe(2);
    expect(inputOf(writer.asked[0])).not.toHaveProperty('follows');
    expect(inputOf(writer.asked[1])).toMatchObject({
      question: byCountry.json.question,
      follows: {
        question: 'How many orders were there in 2023?',
        sql: 'SELECT count(*) FROM orders',
        message: 'and by country?',
      },
      today: '2024-03-09',
    });
    expect(shown(0)).toContain('Turn 1: How many orders were there in 2023?');
    // Names say which database is meant; here is one.
    expect(shown(0)).not.toContain('customer(id, name)');
    expect(shown(0)).toContain('\nLast message: and by country?\n');
  });

  it('that changes the subject drags nothing along', async () => {
    const read = [rewritten({ kind: 'new', question: 'Who are our suppliers?' })];
    const { chat, writer } = scriptedConversation({ read, written: ['SELECT 1', 'SELECT 2'] });
    await chat.say('How many orders?');
    const turn = await chat.say('Who are our suppliers?');
    expect(turn.understood).toMatchObject({ kind: 'new', question: 'Who are our suppliers?' });
    expect(inputOf(writer.asked[1])).not.toHaveProperty('follows');
  });

  it('of a turn that is not there, or has no statement, is a question by itself', async () => {
    const of = (turn: number) => rewritten({ kind: 'refine', turn, question: `of ${turn}` });
    const declined = sqlOutput('', { outcome: 'unanswerable', explanation: 'not stored' });
    const { chat, writer } = scriptedConversation({
      read: [of(7), of(1)],
      written: [declined, 'SELECT 1', 'SELECT 2'],
    });
    await chat.say('What is the weather?');
    expect((await chat.say('tomorrow?')).understood).toMatchObject({ kind: 'new', question: 'of 7' });
    expect((await chat.say('and the day after?')).understood).toMatchObject({ kind: 'new', question: 'of 1' });
    expect(inputOf(writer.asked[2])).not.toHaveProperty('follows');
  });

  it('keeps relative time: today goes along, and the words stay', async () => {
    const read = [rewritten({ kind: 'refine', turn: 1, question: 'How many orders last month in Italy?' })];
    const { chat, writer, shown } = scriptedConversation({ read, written: ['SELECT 1', 'SELECT 2'] });
    await chat.say('How many orders last month?', { today: '2024-03-31' });
    const turn = await chat.say('only Italy', { today: '2024-04-01' });
    expect(turn.understood?.question).toBe('How many orders last month in Italy?');
    expect(inputOf(writer.asked[1]).today).toBe('2024-04-01');
    expect(shown(0)).toContain('"Last month" stays.');
  });
});

describe('no model reads', () => {
  it('the same message again: it means what it meant', async () => {
    const { chat, reader, writer } = scriptedConversation({
      read: [byCountry],
      written: ['SELECT 1', 'SELECT 2', 'SELECT 3', 'SELECT 4'],
    });
    await chat.say('How many orders in 2023?');
    await chat.say('and by country?');
    const again = await chat.say('and by country?');
    expect(again.understood).toMatchObject({ kind: 'refine', of: 1, question: byCountry.json.question });
    expect((await chat.say(' How many orders in 2023? ')).understood).toMatchObject({ kind: 'new' });
    expect(reader.requests).toHaveLength(1);
    expect(inputOf(writer.asked[2]).follows).toMatchObject({ sql: 'SELECT 1' });
  });

  it('a question that stands alone by itself, nor any where nobody reads messages', async () => {
    const { chat, reader } = scriptedConversation({ written: ['SELECT 1', 'SELECT 2'] });
    await chat.say('How many orders?');
    expect((await chat.say('How many customers?', { standsAlone: true })).understood?.kind).toBe('new');
    expect(reader.requests).toHaveLength(0);
    const solver = scriptedSolver([]);
    const unread = scriptedConversation({ written: ['SELECT 1', 'SELECT 2'] }, { model: solver });
    await unread.chat.say('How many orders?');
    expect((await unread.chat.say('How many customers?')).answer.type).toBe('answered');
    expect(solver.asked).toEqual([]);
  });
});

describe('a row of a shown result', () => {
  const second = rewritten({
    kind: 'refine',
    turn: 1,
    question: 'How many orders did [[1:2:C0]] make?',
  });
  const rows = (sql: string) => (sql.includes('customer') ? [['Ann'], ["O'Hara"], ['Zoë']] : [[7]]);
  const written = ['SELECT name FROM customer ORDER BY 1', 'SELECT 7'];

  it('is put in by code, and no row was shown to the model', async () => {
    const { chat, adapter, shown } = scriptedConversation({ read: [second], written, rows });
    await chat.say('Who are the customers?');
    const sent = adapter.sent.length;
    const turn = await chat.say('and how many orders did the second one make?');
    expect(turn.understood?.question).toBe('How many orders did (the value in row 2 of turn 1) make?');
    expect(turn.understood?.evidence).toContain("is 'O''Hara'");
    expect(adapter.sent).toHaveLength(sent + 1);
    expect(shown(0)).not.toMatch(/Hara|Ann/);
    expect(shown(0)).toContain('gave 3 rows of: c0');
  });

  it('stands in the question where it reads as a name', async () => {
    const read = [rewritten({ ...second.json, question: 'How many orders did [[1:3:c0]] make?' })];
    const { chat } = scriptedConversation({ read, written, rows });
    await chat.say('Who are the customers?');
    const turn = await chat.say('the third one: how many orders?');
    expect(turn.understood).toMatchObject({ question: "How many orders did 'Zoë' make?" });
    expect(turn.understood).not.toHaveProperty('evidence');
  });

  it('is asked of the database again after a restart', async () => {
    const journal = memoryJournal();
    await scriptedConversation({ written, rows }, { journal }).chat.say('Who are the customers?');
    const read = [rewritten({ ...second.json, question: 'How many orders did [[1:1:c0]] and [[1:2:c0]] make?' })];
    const later = scriptedConversation({ read, written: ['SELECT 7'], rows }, { journal });
    const turn = await later.chat.say('and the first two?');
    expect(turn.understood?.evidence).toContain('Hara');
    // Once for both.
    expect(later.adapter.sent.map(({ sql }) => sql)).toEqual(written);
    expect(later.adapter.sent[0]).toMatchObject({ sql: written[0], maxRows: 2, access: 'read' });
  });

  it.each([
    ['1:4:c0', 'Row 4 of turn 1'],
    ['9:1:c0', 'Row 1 of turn 9'],
    ['1:0:c0', 'Row 0 of turn 1'],
  ])('that is not there is asked back: %s', async (cell, ask) => {
    const read = [rewritten({ ...second.json, question: `Who is [[${cell}]]?` })];
    const { chat, writer } = scriptedConversation({ read, written, rows });
    await chat.say('Who are the customers?');
    const turn = await chat.say('and that one?');
    expect(turn.answer).toMatchObject({ type: 'needsClarification', ask: expect.stringContaining(ask) });
    expect(writer.asked).toHaveLength(1);
  });

  it.each(['0', '3', 'city'])('of several columns is no NULL where none is %s', async (column) => {
    const read = [rewritten({ ...second.json, question: `Who is [[1:1:${column}]]?` })];
    const { chat } = scriptedConversation({ read, written, rows: () => [['Ann', 7]] });
    await chat.say('Who are the customers?');
    expect((await chat.say('and that one?')).answer).toMatchObject({ type: 'needsClarification' });
  });
});

it('a choice that points at a row is shown and asked with its value', async () => {
  const choices = ['How many orders did [[1:1:c0]] make?', 'How many orders did [[1:2:c0]] make?'];
  const read = [rewritten({ kind: 'unclear', turn: 1, detail: 'Who?', questions: choices })];
  const rows = () => [['Ann'], ['Bob']];
  const { chat } = scriptedConversation({ read, written: ['SELECT 1', 'SELECT 2'], rows });
  await chat.say('Who are the customers?');
  expect((await chat.say('and she?')).answer).toMatchObject({
    choices: [{ meaning: "How many orders did 'Ann' make?" }, { meaning: "How many orders did 'Bob' make?" }],
  });
  expect((await chat.say('Bob')).understood?.question).toBe("How many orders did 'Bob' make?");
});

it('a choice shows the place of a value that cannot be looked up, or that reads as more than a name', async () => {
  const choices = ['Who is [[1:1:c0]]?', 'Who is [[1:9:c0]]?', 'Who is [[1:2:c0]]?'];
  const read = [rewritten({ kind: 'unclear', turn: 1, detail: 'Who?', questions: choices })];
  const journal = memoryJournal();
  const script = { read, written: ['SELECT 1', 'SELECT 2'], rows: () => [['Ann'], ["O'Hara"]] };
  const { chat } = scriptedConversation(script, { journal });
  await chat.say('Who are the customers?');
  const at = (row: number) => ({ meaning: `Who is (the value in row ${row} of turn 1)?` });
  const { answer } = await chat.say('and she?');
  expect(answer).toMatchObject({ choices: [{ meaning: "Who is 'Ann'?" }, at(9), at(2)] });
  expect((await chat.say('3')).understood?.evidence).toContain("O''Hara");

  await chat.branch(1);
  const broken = () => {
    throw new AskemaError('QUERY_FAILED', 'gone');
  };
  const later = scriptedConversation({ ...script, rows: broken }, { journal });
  expect((await later.chat.say('and she?')).answer).toMatchObject({ choices: [at(1), at(9), at(2)] });
});

describe('about the result', () => {
  it.each([
    ['rows', 'The result of turn 1 has 2 rows.'],
    ['columns', 'The columns of turn 1 are c0.'],
    ['sql', 'SELECT name FROM customer'],
    ['explanation', 'read as asked'],
    ['assumptions', 'read as asked'],
  ])('%s are told from what is kept, without SQL', async (detail, reply) => {
    const read = [rewritten({ kind: 'about', turn: 1, detail, question: 'x' })];
    const rows = () => [['Ann'], ['Bob']];
    const { chat, adapter } = scriptedConversation({ read, written: ['SELECT name FROM customer'], rows });
    await chat.say('Who are the customers?');
    const sent = adapter.sent.length;
    const turn = await chat.say('tell me');
    expect(turn.answer).toEqual({ type: 'told', reply });
    expect(turn.outcome).toBeUndefined();
    expect(adapter.sent).toHaveLength(sent);
  });

  it('why there is no result is told, too', async () => {
    const read = [rewritten({ kind: 'about', turn: 1, detail: 'explanation' })];
    const unanswerable = sqlOutput('', { outcome: 'unanswerable', explanation: 'No table holds the weather.' });
    const { chat } = scriptedConversation({ read, written: [unanswerable] });
    await chat.say('How was the weather?');
    expect((await chat.say('why?')).answer).toMatchObject({
      reply: expect.stringContaining('No table holds the weather.'),
    });
  });

  it('what was told is nothing to go on from: the next message sees the turns before', async () => {
    const read = [rewritten({ kind: 'about', turn: 1, detail: 'sql', question: 'x' }), rewritten({ kind: 'none' })];
    const { chat, shown } = scriptedConversation({ read, written: ['SELECT 1'] });
    await chat.say('Who are the customers?');
    await chat.say('show me the SQL');
    await chat.say('thanks');
    expect(shown(1).match(/^Turn \d+/gm)).toEqual(['Turn 1']);
  });

  it('anything else of it changes its question; what asks nothing gets a short reply', async () => {
    const read = [
      rewritten({ kind: 'about', turn: 1, detail: 'tallest', question: 'Who is the tallest?' }),
      rewritten({ kind: 'none' }),
    ];
    const { chat, writer } = scriptedConversation({ read, written: ['SELECT 1', 'SELECT 2'] });
    await chat.say('Who are the customers?');
    expect((await chat.say('who is tallest?')).understood).toMatchObject({ kind: 'refine', of: 1 });
    expect((await chat.say('thanks')).answer).toMatchObject({ type: 'told', reply: expect.stringMatching(/nothing/) });
    expect(writer.asked).toHaveLength(2);
  });
});

describe('what was asked back', () => {
  const unclear = sqlOutput('', { outcome: 'needs_clarification', explanation: 'Placed or shipped?' });
  const readings = [
    { meaning: 'Orders by the day they were placed.', sql: 'SELECT placed FROM orders' },
    { meaning: 'Orders by the day they were shipped.', sql: 'SELECT shipped FROM orders' },
  ];
  /** A database whose reader asks back once, with choices. */
  const undecided = (journal?: ReturnType<typeof memoryJournal>) => {
    const inner = scriptedSolver([unclear, 'SELECT other', 'SELECT another']);
    const solve: typeof inner.solve = async (task, input, context) => {
      const solved = await inner.solve(task, input, context);
      return inner.asked.length === 1 ? { ...solved, readings } : solved;
    };
    return createText2Sql({
      ...{ adapter: scriptedAdapter((sql) => [[sql]]), model: { ...inner, solve }, flow: plain(), journal },
    });
  };

  it.each(['2', '#2', 'shipped', 'by the day they were shipped'])('is answered by %j, by code', async (said) => {
    const reader = scriptedModel([]);
    const chat = conversation({ databases: { shop: undecided() }, model: reader });
    const asked = await chat.say('How many orders in May?');
    expect(asked.answer).toMatchObject({ type: 'needsClarification', choices: [{ id: '1' }, { id: '2' }] });
    const turn = await chat.say(said);
    expect(turn).toMatchObject({
      understood: { kind: 'answer', of: 1, question: 'How many orders in May?' },
      answer: { type: 'answered', sql: 'SELECT shipped FROM orders' },
    });
    expect(reader.requests).toHaveLength(0);
  });

  it('is answered in other words where the reader says so, and another question drops it', async () => {
    const read = [rewritten({ kind: 'answer', detail: '1)' })];
    const chat = conversation({ databases: { shop: undecided() }, model: scriptedModel(read) });
    await chat.say('How many orders in May?');
    expect((await chat.say('when they came in')).answer).toMatchObject({ sql: 'SELECT placed FROM orders' });

    const other = [rewritten({ question: 'How many customers?' })];
    const dropped = conversation({ databases: { shop: undecided() }, model: scriptedModel(other) });
    await dropped.say('How many orders in May?');
    expect(await dropped.say('How many customers?')).toMatchObject({
      understood: { kind: 'new' },
      answer: { sql: 'SELECT other' },
    });
    await expect(dropped.answer('2')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });

  it('is answered after a restart, and otherwise after an undo', async () => {
    const journal = memoryJournal();
    const runs = memoryJournal();
    const open = () =>
      conversation({ databases: { shop: undecided(runs) }, model: scriptedModel([]), journal, id: 'c' });
    await open().say('How many orders in May?');
    const chat = open();
    expect((await chat.answer(2)).answer).toMatchObject({ sql: 'SELECT shipped FROM orders' });
    await chat.undo();
    // Its run was answered; it is asked anew, with what is decided now.
    const turn = await chat.answer('1');
    expect(turn.outcome?.question).toBe('How many orders in May?');
    expect(turn.understood).toMatchObject({ kind: 'answer', of: 1, choice: '1' });
  });

  it('also by the conversation itself: a choice is asked without reading it again', async () => {
    const choices = ['How many orders in 2022 by country?', 'How many customers by country?'];
    const read = [rewritten({ kind: 'unclear', turn: 1, detail: 'Of what?', questions: choices })];
    const { chat, reader, writer } = scriptedConversation({ read, written: ['SELECT 1', 'SELECT 2'] });
    await chat.say('How many orders in 2022?');
    const asked = await chat.say('by country');
    expect(asked.answer).toMatchObject({
      type: 'needsClarification',
      ask: 'Of what?',
      choices: [{ id: '1' }, { id: '2' }],
    });
    await expect(chat.answer('of suppliers')).rejects.toThrow(/none of the choices \(1, 2\)/);
    const turn = await chat.say('2');
    expect(turn.understood).toMatchObject({ kind: 'refine', of: 1, question: 'How many customers by country?' });
    expect(reader.requests).toHaveLength(1);
    expect(inputOf(writer.asked[1]).follows).toMatchObject({ sql: 'SELECT 1' });
  });
});
