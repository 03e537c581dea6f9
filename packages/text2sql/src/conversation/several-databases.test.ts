import { scriptedModel } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { createText2Sql } from '../create-text2sql.ts';
import { failedQuery, scriptedAdapter, shopCatalog } from '../fixtures/scripted-adapter.ts';
import { rewritten } from '../fixtures/scripted-conversation.ts';
import { scriptedSolver } from '../fixtures/scripted-solver.ts';
import { showMessages } from '../fixtures/show-messages.ts';
import { plain } from '../flows/plain/plain.ts';
import { conversation } from './conversation.ts';

/** `web` has the relation `visit`, `shop` has `customer`. A statement that names another one fails. */
const twoDatabases = (read: Parameters<typeof scriptedModel>[0] = [], written: readonly string[] = ['SELECT 1']) => {
  const open = (relation: string) => {
    const adapter = scriptedAdapter(
      (sql) => {
        const [, other] = /FROM "?(\w+)/i.exec(sql) ?? [];
        if (other !== undefined && other.toLowerCase() !== relation) throw failedQuery(`no such table: ${other}`);
        return [[`${relation}: ${sql}`]];
      },
      { catalog: shopCatalog('', relation) },
    );
    const model = scriptedSolver([...written]);
    return { adapter, model, store: createText2Sql({ adapter, model, flow: plain(), linkValues: false }) };
  };
  const [web, shop] = [open('visit'), open('customer')];
  const reader = scriptedModel(read);
  const chat = conversation({ databases: { web: web.store, shop: shop.store }, model: reader });
  return { chat, web, shop, shown: (call: number) => showMessages(reader.requests[call]?.messages ?? []) };
};

describe('a statement of a person', () => {
  it('runs on the database that is named, and what is said next goes on from there', async () => {
    const { chat, web } = twoDatabases();
    await chat.say('How many customers?', { database: 'shop' });
    const turn = await chat.edit('SELECT id FROM visit', { database: 'web' });
    expect(turn).toMatchObject({ understood: { kind: 'edit', of: 1, database: 'web' }, answer: { type: 'answered' } });
    expect(web.adapter.sent.at(-1)).toMatchObject({ sql: 'SELECT id FROM visit', access: 'read' });
    expect((await chat.edit('SELECT 2')).understood).toMatchObject({ of: 2, database: 'web' });
    await expect(chat.edit('SELECT 2', { database: 'wep' })).rejects.toThrow(/Did you mean `web`/);
  });

  it('that names a relation of another database is told which one has it', async () => {
    const { chat } = twoDatabases();
    await chat.say('How many customers?', { database: 'shop' });
    const { answer } = await chat.edit('SELECT id FROM "Visit"');
    expect(answer).toMatchObject({
      type: 'failed',
      reason: 'no such table: Visit. `visit` is not in `shop`; it is in `web`. Name the database.',
      error: { code: 'QUERY_FAILED', details: { errorClass: 'identifier' } },
    });
    expect((await chat.edit('SELECT id FROM nowhere')).answer).toMatchObject({ reason: 'no such table: nowhere' });
  });
});

describe('a comparison of several databases', () => {
  const compare = 'Compare the number of visits and the number of customers.';
  const questions = ['web: How many visits?', 'Database SHOP: How many customers?'];
  const explain = rewritten({ kind: 'explain', question: compare, questions });
  const UNTOLD = { summarize: 'never' } as const;

  it('asks each part of its own database, and code takes the names off', async () => {
    const { chat, web, shop, shown } = twoDatabases([explain, rewritten({ kind: 'none' })], ['SELECT 1', 'SELECT 2']);
    const turn = await chat.say(compare, UNTOLD);
    expect(turn.understood).toEqual({
      ...{ kind: 'explain', question: compare, databases: ['web', 'shop'] },
      questions: ['How many visits?', 'How many customers?'],
    });
    expect(turn).toMatchObject({
      answer: {
        parts: [
          { question: 'How many visits?', database: 'web', answer: { type: 'answered' } },
          { question: 'How many customers?', database: 'shop', answer: { type: 'answered' } },
        ],
      },
      outcomes: [{ result: { rows: [['visit: SELECT 1']] } }, { result: { rows: [['customer: SELECT 1']] } }],
    });
    expect([web, shop].map(({ model }) => model.asked.length)).toEqual([1, 1]);
    expect((await chat.turns())[0]?.understood).toEqual(turn.understood);
    await chat.say('thanks');
    expect(shown(1)).toContain(`Turn 1 [web, shop]: ${compare}\n  part [web]: How many visits?\n`);
  });

  it('shows a part the statement before where that is of the same database alone', async () => {
    const read = [
      rewritten({ ...explain.json, turn: 1, database: 'web', questions: ['How many visits?', ...questions] }),
    ];
    const { chat, web, shop } = twoDatabases(read, ['SELECT 1', 'SELECT 2', 'SELECT 3']);
    await chat.say('How many visits by month?', { database: 'web' });
    const { understood } = await chat.say('and customers?', UNTOLD);
    expect(understood).toMatchObject({ of: 1, databases: ['web', 'web', 'shop'], database: 'web' });
    expect(web.model.asked[1]?.input).toMatchObject({ follows: { sql: 'SELECT 1' } });
    expect(shop.model.asked[0]?.input).not.toHaveProperty('follows');
  });

  it('is told with what each of them gave', async () => {
    const told = { json: { text: 'It is [[1:1:1]] and [[2:1:1]].' } };
    const { chat } = twoDatabases([explain, told]);
    expect((await chat.say(compare)).summary?.text).toBe('It is visit: SELECT 1 and customer: SELECT 1.');
  });

  it('a name before a colon that is no database stays', async () => {
    const read = [rewritten({ ...explain.json, database: 'web', questions: ['Q1: how many?', 'Q2: how many?'] })];
    const { understood } = await twoDatabases(read, ['SELECT 1', 'SELECT 2']).chat.say('compare', UNTOLD);
    expect(understood).toMatchObject({ questions: ['Q1: how many?', 'Q2: how many?'], database: 'web' });
  });
});

describe('what needs several databases at once', () => {
  const joined = 'Which customers visited?';
  const both = rewritten({ kind: 'new', question: joined });

  it('is asked back once; an answer that names none is told that one answers', async () => {
    const { chat } = twoDatabases([both, both]);
    expect((await chat.say(joined)).answer).toMatchObject({ ask: 'Which database is meant?' });
    const turn = await chat.say('both');
    expect(turn.answer).toEqual({ type: 'told', reply: expect.stringMatching(/one database.*web, shop/) });
  });

  it('nor is the same asked back later, and what can be asked of each is asked there', async () => {
    const can = rewritten({
      ...{ kind: 'unclear', question: joined, detail: 'Which of them?' },
      questions: ['web: Who visited?', 'shop: Who are the customers?'],
    });
    const { chat } = twoDatabases([can, can, rewritten({ kind: 'none' }), can, both]);
    expect((await chat.say(joined)).answer).toMatchObject({ type: 'needsClarification', ask: 'Which of them?' });
    for (const said of ['both of them', 'hm', 'both at once']) expect((await chat.say(said)).answer.type).toBe('told');
    await chat.branch(1);
    expect((await chat.say('2')).understood).toMatchObject({ question: 'Who are the customers?', database: 'shop' });
  });
});
