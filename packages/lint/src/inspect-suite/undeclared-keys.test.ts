import { sqliteDialect } from '@askema/dialects';
import { expect, test, vi } from 'vitest';
import { ruleRunner } from './rule-findings.ts';
import { catalogOf } from './shop-catalog.ts';

// A worker starts; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const { run } = ruleRunner(sqliteDialect);

/** As it comes from a file of exported tables: no key is declared. */
const catalog = catalogOf({
  paper: { attributes: ['pid INTEGER', 'jid INTEGER', 'citations INTEGER', 'title TEXT'], key: [] },
  journal: { attributes: ['jid INTEGER', 'name TEXT', 'rank INTEGER'], key: [] },
  writes: { attributes: ['pid INTEGER', 'aid INTEGER'], key: [] },
  draft: { attributes: ['pid INTEGER', 'aid INTEGER', 'note TEXT'], key: [] },
});
const linesOf = async (from: string): Promise<readonly string[]> =>
  (await run(['join-off-key'], `SELECT 1 FROM ${from}`, { catalog })).lines;

test.each([
  ['paper p JOIN journal j ON p.citations = j.jid', 'p.citations = j.jid'],
  ['paper p JOIN journal j ON p.pid = j.jid', 'p.pid = j.jid'],
  ['paper p JOIN journal j ON p.jid = j.rank', 'p.jid = j.rank'],
])('without declared keys, the number that both relations have: %s', async (from, slice) => {
  expect(await linesOf(from)).toEqual([`join-off-key warning: ${slice}`]);
});

test.each([
  'paper p JOIN journal j ON p.jid = j.jid',
  // Two numbers of one name each: either may be meant.
  'writes w JOIN draft d ON w.pid = d.aid',
  // No number that both have.
  'journal j JOIN writes w ON j.rank = w.aid',
])('nothing is said of %s', async (from) => {
  expect(await linesOf(from)).toEqual([]);
});

test('things are counted by their numbers, whatever the question calls them', async () => {
  const question = 'How many articles are in each journal?';
  const count = (column: string): string => `SELECT jid, COUNT(DISTINCT ${column}) FROM paper GROUP BY jid`;
  const said = async (column: string): Promise<readonly string[]> =>
    (await run(['column-asked'], count(column), { catalog, question })).lines;
  expect((await said('pid')).filter((line) => line.includes('pid'))).toEqual([]);
  expect((await said('citations')).filter((line) => line.includes('citations'))).toHaveLength(1);
});
