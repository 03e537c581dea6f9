/**
 * How many ordinary business questions the solver without a model gets right. Questions over databases that are made here, written
 * without having seen its grammar. Usage:
 *
 * node --conditions=@askema/source scripts/questions/bars.ts [--set developed,held-out] [--list right,wrong,declined]
 *
 * Bars on the 120 questions that were held out: at least 45 % right, at most 3 % silently wrong. Once they were looked
 * at, they belong to the others, and new ones are to be written.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { type Adapter, resolveAdapter } from '@askema/core';
import { createText2Sql, type Text2Sql } from '@askema/text2sql';
import { sqlite } from '../../adapters/sqlite/src/index.ts';
import { lexical } from '../../packages/lexical/src/index.ts';
import { seededRandom } from '../inspect/seeded-random.ts';
import { type Business, TODAY } from './business.ts';
import { BUSINESSES } from './businesses.ts';
import { holdsGold } from './score.ts';

type Verdict = 'right' | 'wrong' | 'declined';

const HELD_OUT = 'held-out';
const { values: flags } = parseArgs({
  options: { set: { type: 'string', default: 'developed' }, list: { type: 'string', default: 'wrong' } },
});
const listed = flags.list.split(',');

function makeDatabase({ ddl, rows }: Business, file: string): void {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA foreign_keys = OFF; ${ddl}`);
  for (const [table, content] of Object.entries(rows(seededRandom(17))))
    for (const row of content)
      database.prepare(`INSERT INTO "${table}" VALUES (${row.map(() => '?').join(', ')})`).run(...row);
  database.close();
}

async function judge(
  store: Text2Sql,
  adapter: Adapter,
  [question, ...gold]: Business['questions'][number],
): Promise<{ readonly verdict: Verdict; readonly said: string }> {
  const outcome = await store.ask(question, { today: TODAY });
  if (outcome.type !== 'answered')
    return { verdict: 'declined', said: 'reason' in outcome ? outcome.reason : JSON.stringify(outcome).slice(0, 300) };
  const { result, sql } = outcome;
  for (const statement of gold)
    if (holdsGold(await adapter.query(statement), result, /ORDER BY(?!.*LIMIT)/isu.test(statement)))
      return { verdict: 'right', said: sql };
  return { verdict: 'wrong', said: sql };
}

const counts = new Map<string, Record<Verdict, number>>();
const folder = mkdtempSync(path.join(tmpdir(), 'askema-questions-'));
try {
  for (const [set, business] of Object.entries(BUSINESSES).flatMap(([set, all]) =>
    all.map((one) => [set, one] as const),
  )) {
    if (!flags.set.split(',').includes(set)) continue;
    const file = path.join(folder, `${business.name}.sqlite`);
    makeDatabase(business, file);
    const adapter = resolveAdapter(sqlite({ file }));
    const store = createText2Sql({ adapter: sqlite({ file }), model: lexical() });
    for (const asked of business.questions) {
      const { verdict, said } = await judge(store, adapter, asked);
      const row = counts.get(set) ?? { right: 0, wrong: 0, declined: 0 };
      row[verdict] += 1;
      counts.set(set, row);
      if (listed.includes(verdict)) console.log(`${verdict}: ${business.name}: ${asked[0]}\n    ${said}`);
    }
    await store.close();
    await adapter.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

for (const [set, { right, wrong, declined }] of counts) {
  const all = right + wrong + declined;
  const share = (count: number): string => `${count} (${((100 * count) / all).toFixed(1)} %)`;
  console.log(`${set}: ${all} questions, right ${share(right)}, wrong ${share(wrong)}, declined ${share(declined)}`);
}
const measured = counts.get(HELD_OUT);
if (measured !== undefined) {
  const all = measured.right + measured.wrong + measured.declined;
  const holds = measured.right >= 0.45 * all && measured.wrong <= 0.03 * all;
  console.log(holds ? 'The bars hold.' : 'The bars do NOT hold.');
  if (!holds) process.exitCode = 1;
}
