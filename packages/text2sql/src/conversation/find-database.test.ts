import { scriptedModel } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { createText2Sql } from '../create-text2sql.ts';
import { scriptedAdapter, shopCatalog } from '../fixtures/scripted-adapter.ts';
import { rewritten } from '../fixtures/scripted-conversation.ts';
import { scriptedSolver } from '../fixtures/scripted-solver.ts';
import { showMessages } from '../fixtures/show-messages.ts';
import { findDatabase } from './find-database.ts';
import { namedDatabase } from './named-database.ts';

const open = (relation: string) =>
  createText2Sql({
    adapter: scriptedAdapter(() => [], { catalog: shopCatalog('', relation) }),
    model: scriptedSolver([]),
  });
const databases = { web: open('visit'), 'shop-eu': open('customer'), shop: open('order') };
const titles = { web: 'Page views' };

describe('a question that names a database', () => {
  it.each([
    ['How many visits are there in web?', 'web'],
    ['How many PAGE views were there?', 'web'],
    ['How many orders has shop-eu?', 'shop-eu'],
    ['How many orders has the shop?', 'shop'],
    ['How many workshops and webs are there?', undefined],
    ['Compare web and shop', undefined],
    ['', undefined],
  ])('%s', (question, expected) => {
    expect(namedDatabase(question, Object.keys(databases), titles)).toBe(expected);
  });

  it('is taken by its whole name where others have the same words', () => {
    expect(namedDatabase(' a-b ', ['a_b', 'a-b'])).toBe('a-b');
    expect(namedDatabase('in a-b', ['a_b', 'a-b'])).toBeUndefined();
  });

  it('is not read by a model', async () => {
    const model = scriptedModel([]);
    expect(await findDatabase('How many visits in web?', { databases, titles, model })).toEqual({
      ...{ database: 'web', usage: {}, calls: 0 },
    });
    expect(model.requests).toHaveLength(0);
  });
});

describe('a question that names none', () => {
  const ask = (output: Parameters<typeof rewritten>[0]) => {
    const model = scriptedModel([{ ...rewritten(output), usage: { inputTokens: 7 } }]);
    return { model, found: findDatabase('How many visits?', { databases, titles, model }) };
  };

  it('is read with what all of them hold', async () => {
    const { model, found } = ask({ database: 'WEB', question: 'How many visits?' });
    expect(await found).toMatchObject({ database: 'web', calls: 1, usage: { inputTokens: 7 } });
    expect(showMessages(model.requests[0]?.messages ?? [])).toContain('Database web:\nPage views\nvisit(');
  });

  it.each<[Parameters<typeof rewritten>[0]]>([
    [{ database: 'hr' }],
    [{ kind: 'none' }],
    [{ kind: 'explain', questions: ['web: How many?', 'shop: How many?'] }],
  ])('is of none where the model says %j', async (output) => {
    expect((await ask(output).found).database).toBeUndefined();
  });

  it('is of none where nobody reads it, and of the only one where there is one', async () => {
    expect((await findDatabase('How many?', { databases })).database).toBeUndefined();
    const model = scriptedSolver([]);
    expect((await findDatabase('How many?', { databases, model })).database).toBeUndefined();
    expect((await findDatabase('How many?', { databases: { web: databases.web } })).database).toBe('web');
  });
});
