import { scriptedModel } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { createText2Sql } from '../create-text2sql.ts';
import { failedQuery, scriptedAdapter, shopCatalog } from '../fixtures/scripted-adapter.ts';
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
