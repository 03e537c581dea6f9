import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqlite } from '@askema/sqlite';
import { createText2Sql } from '@askema/text2sql';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SHOP_SQL, shopKnowledge } from '../reader/test-support/shop.ts';
import { knowledgeSolver } from './knowledge-solver.ts';

const folder = mkdtempSync(join(tmpdir(), 'askema-knowledge-'));
const file = join(folder, 'shop.sqlite');

beforeAll(() => {
  const database = new Database(file);
  database.exec(SHOP_SQL);
  database.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const verified = (question: string, sql: string) => ({
  id: 'one',
  question,
  sql,
  names: 'physical' as const,
  parameters: [{ name: 'city', type: 'text' as const }],
  tags: [],
  standing: { state: 'accepted' as const, source: 'file', place: { file: 'sql/one.md' } },
});

describe('questions answered from knowledge through the pipeline', () => {
  it('finds metrics, cells and verified queries, and refuses what writes', async () => {
    const verifiedQueries = [
      verified('Who lives in {city}?', 'SELECT name FROM customers WHERE city = :city ORDER BY 1'),
      verified('Empty the orders of {city}', 'DELETE FROM orders WHERE :city = :city'),
    ];
    const model = knowledgeSolver(shopKnowledge({}, { verifiedQueries }));
    await using shop = createText2Sql({ adapter: sqlite({ file }), model });
    const ask = async (question: string) => {
      const outcome = await shop.ask(question, { today: '2024-05-15' });
      return outcome.type === 'answered' ? outcome.result.rows : outcome.type;
    };
    expect(await ask('Revenue by region in 2024')).toEqual([
      ['North', 110],
      ['South', 230],
      [null, 500],
    ]);
    expect(await ask('revenue in Berlin last month')).toEqual([[500]]);
    expect(await ask('How many orders did Old Mill have in 2023?')).toEqual([[2]]);
    expect(await ask('orders at Old Mill')).toEqual([[2]]);
    expect(await ask('who lives in berlin?')).toEqual([['Ada'], ['Cleo']]);
    expect(await ask('Empty the orders of Berlin')).not.toBeInstanceOf(Array);
    expect(await ask('How many orders are there?')).toEqual([[7]]);
    expect(await ask('How is the weather?')).toBe('unanswerable');
  });
});
