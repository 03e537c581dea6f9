import { AskemaError } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { loadKnowledge } from '../folder/load-knowledge.ts';
import { makeFolder, shopModel } from '../folder/test-support/make-folder.ts';
import { checkExitCode } from './format-check.ts';
import { checkSqlite, codesOf } from './test-support/check-sqlite.ts';

const SCRIPT = 'CREATE TABLE orders (amount NUMERIC, refund NUMERIC); INSERT INTO orders VALUES (5, 1), (6, 0);';
const model = (metric: string, expression: string) =>
  `version: 0.2.0.dev0\nname: shop\ndatasets: []\nmetrics:\n  - name: ${metric}\n    expression: { dialects: [{ dialect: ANSI_SQL, expression: "${expression}" }] }\n`;
const query = (sql: string) => `---\nnl: How much?\nsql: ${sql}\n---\n`;
const FILES = {
  'models/shop.ossie.yaml': shopModel('shop', { revenue: 'SUM(shop_orders.amount)' }),
  'proposals/by/ann/models/shop.ossie.yaml': model('net', 'SUM(shop_orders.amount) - 1'),
  'proposals/by/ann/sql/much.md': query('SELECT 1'),
};
async function check(more: Readonly<Record<string, string>>) {
  const knowledge = await loadKnowledge(makeFolder({ ...FILES, ...more }), { allProposals: true });
  const result = await checkSqlite(knowledge, { script: SCRIPT });
  const states = result.entries.map(
    ({ id, state, place }) => `${id} ${/by\/(\w+)/.exec(place.file)?.[1] ?? '-'} ${state}`,
  );
  return { codes: codesOf(result), states, code: checkExitCode(result) };
}

describe('checkKnowledge, of what single persons propose', () => {
  it('breaks nothing of another, whatever somebody proposes', async () => {
    const { codes, states, code } = await check({
      'sql/much.md': query('SELECT 3'),
      'proposals/by/bob/models/shop.ossie.yaml': model('net', 'SUM(shop_orders.nothing)'),
      'proposals/by/bob/models/again.ossie.yaml': shopModel('again', { revenue: 'MAX(again_orders.amount)' }),
      'proposals/by/bob/sql/much.md': query('SELECT 2'),
      'proposals/by/bob/sql/broken.md': '---\nnl: [\n---\n',
      'proposals/by/bob/models/broken.ossie.yaml': '- no model\n',
    });
    expect(states).toEqual(
      expect.arrayContaining([
        'metric:net ann proposed',
        'metric:net bob failed',
        'query:much ann proposed',
        'query:much bob proposed',
        'query:much - accepted',
        'metric:revenue - accepted',
      ]),
    );
    expect(codes).toEqual(expect.arrayContaining(['metric:net unknown-field', 'metric:revenue proposed-again']));
    expect(codes).not.toContain('metric:net duplicate-name');
    expect(code).toBe(0);
  });

  it('does not wait for each of many statements of one person that take long', async () => {
    const slow = Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e'].map((id) => [
        `proposals/by/eve/sql/${id}.md`,
        `---\nnl: Slow ${id}?\nsql: SELECT 'slow' AS ${id}\n---\n`,
      ]),
    );
    const knowledge = await loadKnowledge(makeFolder({ ...FILES, ...slow }), { allProposals: true });
    const tried: string[] = [];
    const failure = (sql: string) => {
      tried.push(sql);
      return sql.includes('slow') ? new AskemaError('QUERY_TIMEOUT', 'too slow') : undefined;
    };
    const { skipped } = await checkSqlite(knowledge, { script: SCRIPT }, { failure });
    expect(tried.filter((sql) => sql.includes('slow'))).toHaveLength(3);
    expect(skipped.filter(({ reason }) => reason.includes('that eve proposes'))).toHaveLength(2);
    expect(tried).toContain('SELECT 1');
  });

  it('checks them beside what is accepted', async () => {
    const { states } = await check({
      'proposals/by/ann/sql/gone.md': '---\nnl: Gone?\nsql: SELECT x FROM gone\n---\n',
    });
    expect(states).toEqual(expect.arrayContaining(['query:gone ann failed', 'metric:net ann proposed']));
  });
});
