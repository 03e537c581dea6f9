import { AskemaError, memoryJournal, type RunEvent } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { failedQuery } from '../fixtures/scripted-adapter.ts';
import { rewritten, scriptedConversation, textOfJournal } from '../fixtures/scripted-conversation.ts';
import { sqlOutput } from '../fixtures/scripted-solver.ts';

const inputOf = (asked: { readonly input: unknown } | undefined) => asked?.input as Record<string, unknown>;
const OWN = "(a statement of the person's own)";
const UNTOLD = { summarize: 'never' } as const;
const PARTS = ['How many orders were there in March?', 'How many orders were there in February?'];
const why = (questions = PARTS) =>
  rewritten({ kind: 'explain', turn: 1, question: 'Why were there so few orders in March?', questions });

describe('why and what changed', () => {
  const first = 'SELECT month, count(*) FROM orders GROUP BY 1';
  const written = [first, 'SELECT march', 'SELECT february', 'SELECT next'];

  it('asks each part as a question of its own, with the statement of the turn that it is about', async () => {
    const { chat, writer } = scriptedConversation({ read: [why()], written });
    await chat.say('Orders by month?', { evidence: 'A month is a calendar month.' });
    const turn = await chat.say('why so few in March?', { today: '2024-04-01', ...UNTOLD });
    const base = (turn.outcomes?.[0]?.runId ?? '').replace(/\.1$/, '');
    expect(base).toMatch(/^conversation-.+\.2$/);
    expect(turn).toMatchObject({
      understood: { kind: 'explain', of: 1, questions: PARTS },
      answer: {
        type: 'explained',
        parts: [
          { question: PARTS[0], answer: { type: 'answered', sql: 'SELECT march', runId: `${base}.1`, rows: 1 } },
          { question: PARTS[1], answer: { type: 'answered', sql: 'SELECT february', runId: `${base}.2` } },
        ],
      },
      outcomes: [{ result: { rows: [['SELECT march']] } }, { result: { rows: [['SELECT february']] } }],
      calls: 3,
      usage: { outputTokens: expect.any(Number) },
    });
    expect(inputOf(writer.asked[2])).toMatchObject({
      question: PARTS[1],
      follows: { question: 'Orders by month?', sql: first },
      today: '2024-04-01',
    });
    // What is kept adds up to what was shown.
    const kept = (await chat.turns()).at(-1);
    expect(kept).toEqual({ ...turn, outcomes: undefined });
  });

  it('tells afterwards by which statements, part by part, without asking anything', async () => {
    const read = [why(), rewritten({ kind: 'about', turn: 2, detail: 'sql' })];
    const { chat, writer } = scriptedConversation({ read, written });
    await chat.say('Orders by month?');
    await chat.say('why so few in March?', UNTOLD);
    expect((await chat.say('show me the SQL')).answer).toEqual({
      type: 'told',
      reply: `${PARTS[0]}\nSELECT march\n${PARTS[1]}\nSELECT february`,
    });
    expect(writer.asked).toHaveLength(3);
  });

  it('goes on where a part fails or is asked back', async () => {
    const unclear = sqlOutput('', { outcome: 'needs_clarification', explanation: 'which March?' });
    const parts = [...PARTS, 'How many orders were returned in March?'];
    const { chat } = scriptedConversation({
      read: [why(parts)],
      written: [first, unclear, 'SELECT broken', 'SELECT broken', 'SELECT broken', 'SELECT returned'],
      rows: (sql) => {
        if (sql.includes('broken')) throw failedQuery('no such column: broken');
        return [[sql]];
      },
    });
    await chat.say('Orders by month?');
    const { answer, outcomes } = await chat.say('why?', UNTOLD);
    expect(answer).toMatchObject({
      parts: [
        { answer: { type: 'needsClarification' } },
        { answer: { type: 'failed', reason: expect.stringContaining('broken') } },
        { answer: { type: 'answered', sql: 'SELECT returned' } },
      ],
    });
    expect(outcomes?.map((outcome) => outcome?.type)).toEqual(['needsClarification', 'failed', 'answered']);
  });

  it('puts in the values that parts point at', async () => {
    // By name, and by number.
    const parts = ['How many did [[1:2:c0]] order?', 'How many did [[1:1:1]] order?'];
    const { chat, writer } = scriptedConversation({
      read: [why(parts)],
      written,
      rows: (sql) => (sql === first ? [['Ann'], ['Bob']] : [[1]]),
    });
    await chat.say('Who?');
    const { understood } = await chat.say('why more than the first one?', UNTOLD);
    expect(understood?.questions).toEqual(["How many did 'Bob' order?", "How many did 'Ann' order?"]);
    expect(inputOf(writer.asked[1]).question).toBe("How many did 'Bob' order?");
  });

  it('shows what is said next the parts, without their statements and rows', async () => {
    const read = [why(), rewritten({ kind: 'refine', turn: 2, question: 'How many orders in March in Italy?' })];
    const { chat, shown, writer } = scriptedConversation({ read, written, rows: () => [['canary']] });
    await chat.say('Orders by month?');
    await chat.say('why?', UNTOLD);
    expect((await chat.say('and in Italy?')).understood).toMatchObject({ kind: 'new' });
    expect(shown(1)).toContain(`Turn 2: Why were there so few orders in March?\n  part: ${PARTS[0]}\n`);
    expect(shown(1)).toContain(`  part: ${PARTS[1]}\n  gave 1 row of: c0\n`);
    expect(shown(1)).not.toMatch(/canary|SELECT february/);
    expect(inputOf(writer.asked[3])).not.toHaveProperty('follows');
  });

  it('after a crash, no part that had ended is asked again, and its rows are there', async () => {
    const inner = memoryJournal();
    await scriptedConversation({ written: [first] }, { journal: inner }).chat.say('Orders by month?');
    const journal = {
      ...inner,
      open: async (id: string) => {
        const run = await inner.open(id);
        const append: typeof run.append = async (entries) => {
          if (JSON.stringify(entries).includes('"part":2')) throw new Error('died');
          await run.append(entries);
        };
        return { ...run, append };
      },
    };
    const dying = scriptedConversation({ read: [why()], written: written.slice(1) }, { journal });
    await expect(dying.chat.say('why?', UNTOLD)).rejects.toThrow('died');
    const later = scriptedConversation({ written: ['SELECT february again'] }, { journal: inner });
    const turn = await later.chat.say('why?', UNTOLD);
    expect(later.writer.asked).toHaveLength(1);
    expect(turn).toMatchObject({
      turn: 2,
      answer: { parts: [{ answer: { sql: 'SELECT march' } }, { answer: { sql: 'SELECT february again' } }] },
      outcomes: [
        { sql: 'SELECT march', calls: 0, result: { rows: [['SELECT march']] } },
        { result: { rows: [['SELECT february again']] } },
      ],
      calls: 3,
    });
    expect((await later.chat.turns()).at(-1)?.calls).toBe(3);
  });
});

describe('a statement that a person has changed', () => {
  const question = 'How many orders in 2023?';
  const written = ['SELECT 1', 'SELECT 2'];

  it('runs for reading and takes the place of the one before', async () => {
    const events: RunEvent[] = [];
    const journal = memoryJournal();
    const read = [rewritten({ kind: 'refine', turn: 2, question: 'How many orders in 2023, by country?' })];
    const { chat, adapter, writer, shown } = scriptedConversation(
      { read, written, rows: (sql) => (sql === 'SELECT mine' ? [['canary', 7n]] : [[sql]]) },
      { journal },
    );
    await chat.say(question);
    const turn = await chat.edit('SELECT mine', { onEvent: (event) => events.push(event) });
    expect(turn).toMatchObject({
      turn: 2,
      after: 1,
      message: 'SELECT mine',
      understood: { kind: 'edit', of: 1, database: 'shop' },
      answer: { type: 'answered', sql: 'SELECT mine', columns: ['c0', 'c1'], rows: 1, explanation: undefined },
      outcome: { type: 'answered', question: OWN, result: { rows: [['canary', 7n]] }, executions: 1, sure: false },
      calls: 0,
    });
    expect(turn.understood).not.toHaveProperty('question');
    expect(turn.outcome?.runId).toBe(turn.answer.type === 'answered' ? turn.answer.runId : '');
    expect(JSON.parse(JSON.stringify(turn.outcome))).toMatchObject({ schemaVersion: 1, type: 'answered' });
    expect(adapter.sent.at(-1)).toEqual({ sql: 'SELECT mine', access: 'read', maxRows: 10_000 });
    expect(events.map(({ type }) => type)).toEqual(['step-started', 'step-finished']);
    expect(await textOfJournal(journal)).not.toContain('canary');
    await chat.say('and by country?');
    expect(shown(0)).toContain(`Turn 2: ${OWN}\n  gave 1 row of: c0, c1\n  by: SELECT mine\n`);
    expect(inputOf(writer.asked[1]).follows).toMatchObject({ question: OWN, sql: 'SELECT mine' });
  });

  it.each([
    ['DELETE FROM customer', 'refused', new AskemaError('QUERY_NOT_READ_ONLY', 'DELETE does not read.')],
    ['SELECT broken', 'failed', failedQuery('no such column: broken')],
  ] as const)('that may not or cannot run (%s) says so, and the one before stays', async (sql, type, error) => {
    const { chat, adapter } = scriptedConversation({
      written,
      rows: (sent) => {
        if (sent === sql) throw error;
        return [[sent]];
      },
    });
    const before = await chat.say(question);
    const turn = await chat.edit(sql);
    expect(turn).toMatchObject({ answer: { type, reason: error.message }, outcome: { type } });
    expect(adapter.sent.at(-1)?.access).toBe('read');
    expect((await chat.turns()).map(({ answer }) => answer)).toEqual([before.answer]);
    // The next one is in place of the statement that stands.
    expect(await chat.edit('SELECT other')).toMatchObject({ turn: 3, after: 1, understood: { of: 1 } });
    expect(await chat.undo()).toMatchObject({ turn: 1, answer: { sql: 'SELECT 1' } });
    // It is kept all the same.
    expect(await chat.branch(2)).toMatchObject({ message: sql, answer: { type } });
  });

  it('can be stopped', async () => {
    const { chat } = scriptedConversation({ written });
    await chat.say(question);
    const turn = await chat.edit('SELECT 2', { signal: AbortSignal.abort() });
    expect(turn).toMatchObject({ answer: { type: 'cancelled' }, outcome: { type: 'cancelled' } });
    expect(await chat.undo()).toBeUndefined();
  });

  it('needs a statement, and one to take the place of', async () => {
    const { chat } = scriptedConversation({ written });
    await expect(chat.edit('SELECT 1')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await chat.say(question);
    await expect(chat.edit(' \n')).rejects.toThrow(/empty/);
    await expect(chat.edit('x'.repeat(100_001))).rejects.toThrow(/100001 characters/);
    expect(await chat.turns()).toHaveLength(1);
  });
});
