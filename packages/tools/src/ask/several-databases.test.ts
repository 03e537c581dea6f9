import { describe, expect, it } from 'vitest';
import { askemaTools } from '../askema-tools.ts';
import type { Tool, WaitingQuestion } from '../contract.ts';
import { fakeDatabase } from '../fixtures/fake-database.ts';
import { answered, askedBack, resultOf } from '../fixtures/outcomes.ts';

const ANSWER = answered(resultOf([[1]]));

function two(options: Partial<Parameters<typeof askemaTools>[0]> = {}) {
  const shop = { ...fakeDatabase([ANSWER, ANSWER]), title: 'What is sold' };
  const people = fakeDatabase([askedBack(), ANSWER]);
  const tools = askemaTools({ databases: { shop, people }, ...options });
  return { shop, people, ask: tools[0] as Tool };
}

describe('ask without a database, where there are several', () => {
  it('goes to the one that the question names', async () => {
    const { ask, shop, people } = two();
    const follows = { question: 'a', sql: 'SELECT 1' };
    await ask.call({ question: 'What is sold most?', follows });
    expect(shop.asked).toMatchObject([{ question: 'What is sold most?', options: { follows } }]);
    expect(people.asked).toHaveLength(0);
  });

  it('is asked back otherwise, and `answers` go on with the same question', async () => {
    const { ask, shop, people } = two();
    const follows = { question: 'a', sql: 'SELECT 1' };
    const reply = await ask.call({ question: 'How many?', follows });
    expect(reply.structured).toMatchObject({
      ...{ type: 'needsClarification', question: 'How many?', ask: 'Which database is meant?' },
      choices: [
        { id: 'shop', meaning: 'shop: What is sold' },
        { id: 'people', meaning: 'people' },
      ],
    });
    expect(ask.output.parse(reply.structured)).toEqual(reply.structured);
    expect(reply.text).toContain('shop: What is sold');
    const answer = (choice: string, resume = reply.structured.resume) => ask.call({ answers: { resume, choice } });
    expect(await answer('hr')).toMatchObject({
      structured: { error: { code: 'INPUT_INVALID', message: expect.stringContaining('There are: shop, people.') } },
    });
    const next = await answer('people');
    expect(people.asked).toMatchObject([{ question: 'How many?', options: { follows } }]);
    // What is asked back there needs no name of the database either.
    expect(next.structured.type).toBe('needsClarification');
    expect((await answer('1', next.structured.resume)).structured.type).toBe('answered');
    expect(people.resumed).toMatchObject([{ options: { answer: '1' } }]);
    expect(shop.asked).toHaveLength(0);
    expect((await answer('shop', 'forged')).isError).toBe(true);
  });

  it('is asked of a person where one can be asked', async () => {
    const { ask, shop } = two();
    const elicit = async () => 'SHOP';
    expect((await ask.call({ question: 'How many?' }, { elicit })).structured.type).toBe('answered');
    expect(shop.asked).toHaveLength(1);
    const declined = await ask.call({ question: 'How many?' }, { elicit: async () => undefined });
    expect(declined.structured).toMatchObject({ type: 'needsClarification', resume: expect.any(String) });
  });

  it('a handle holds for its tenant, and its question is kept where the server says', async () => {
    const kept: WaitingQuestion[] = [];
    const waiting = {
      keep: (one: WaitingQuestion) => `run-${kept.push(one)}`,
      find: (run: string) => kept[Number(run[4]) - 1],
    };
    const { ask } = two({ waiting });
    const { structured } = await ask.call({ question: 'How many?' }, { tenant: 'a' });
    expect(structured.runId).toBe('run-1');
    const answers = { resume: structured.resume, choice: 'shop' };
    expect((await ask.call({ answers }, { tenant: 'b' })).isError).toBe(true);
    expect((await ask.call({ answers }, { tenant: 'a' })).structured.type).toBe('answered');
  });
});
