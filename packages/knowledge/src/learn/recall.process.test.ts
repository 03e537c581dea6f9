import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteDialect } from '@askema/dialects';
import { sqlite } from '@askema/sqlite';
import { scriptedModel } from '@askema/testkit';
import { auto, createText2Sql } from '@askema/text2sql';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptEntry } from '../folder/accept-entry.ts';
import { loadKnowledge } from '../folder/load-knowledge.ts';
import { makeFolder } from '../folder/test-support/make-folder.ts';
import { SHOP_SQL } from '../reader/test-support/shop.ts';
import { createKnowledge } from '../use/create-knowledge.ts';
import { forget } from './forget.ts';
import { remember } from './remember.ts';

const temporary = mkdtempSync(join(tmpdir(), 'askema-recall-'));
const file = join(temporary, 'shop.sqlite');
beforeAll(() => {
  const database = new Database(file);
  database.exec(SHOP_SQL);
  database.close();
});
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

const QUESTION = 'Who are our regulars?';
const reply = {
  json: {
    outcome: 'sql',
    sql: "SELECT name FROM customers WHERE tier = 'G'",
    explanation: 'as asked',
    not_understood: [],
    other_readings: [],
    would_agree: 'ten',
  },
};

/** Everybody's proposals are loaded, as a careless service would. */
async function ask(folder: string, proposalsOf?: string) {
  const knowledge = createKnowledge(await loadKnowledge(folder, { allProposals: true }), { proposalsOf });
  const model = scriptedModel([reply, reply, reply]);
  await using shop = createText2Sql({ adapter: sqlite({ file }), model, knowledge, flow: auto() });
  const outcome = await shop.ask(QUESTION, { today: '2024-05-15' });
  const bases = outcome.type === 'answered' ? outcome.basedOn : [];
  const prompts = model.requests.map(({ messages }) => messages);
  return {
    outcome,
    calls: model.requests.length,
    prompts,
    states: bases.flatMap((one) => ('state' in one ? one.state : [])),
  };
}

describe('an answer that is asked for again', { timeout: 60_000 }, () => {
  it('is recalled once it was confirmed and accepted: not before, and not when it was refuted', async () => {
    const folder = makeFolder({});
    const { outcome, calls, prompts } = await ask(folder);
    expect(calls).toBeGreaterThan(0);
    expect(await ask(folder)).toMatchObject({ calls, prompts });

    const { id } = await remember(folder, outcome, { by: 'ann', dialect: sqliteDialect });
    expect(await ask(folder)).toMatchObject({ calls, prompts, states: [] });
    expect(await ask(folder, 'bob')).toMatchObject({ calls, prompts, states: [] });
    expect(await ask(folder, 'ann')).toMatchObject({ calls: 0, states: ['proposed'] });

    await forget(folder, outcome, { by: 'ann' });
    expect(await ask(folder, 'ann')).toMatchObject({ calls, prompts });

    await remember(folder, outcome, { by: 'ann', dialect: sqliteDialect });
    await acceptEntry(folder, id, 'kim');
    expect(await ask(folder, 'bob')).toMatchObject({ calls: 0, states: ['accepted'] });
  });
});
