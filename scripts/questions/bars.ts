/**
 * How many ordinary business questions the solver without a model gets right. 120 questions over six databases that
 * are made here, written without having seen its grammar. Usage:
 *
 * node --conditions=@askema/source scripts/questions/bars.ts [--half developed,held-out] [--list right,wrong,declined]
 *
 * The halves are told apart by a hash of the question: one was looked at while the grammar grew, the other was not.
 * Bars on the half that was held out: at least 45 % right, at most 3 % silently wrong.
 */
import { createHash } from 'node:crypto';
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
  options: { half: { type: 'string', default: `developed,${HELD_OUT}` }, list: { type: 'string', default: 'wrong' } },
});
const halves = flags.half.split(',');
const listed = flags.list.split(',');

/** The questions by their hash: the first half is developed with. */
const inOrder = BUSINESSES.flatMap(({ questions }) => questions.map(([question]) => question)).sort((a, b) =>
  hashOf(a) < hashOf(b) ? -1 : 1,
);
const developed = new Set(inOrder.slice(0, inOrder.length / 2));

function hashOf(question: string): string {
  return createHash('sha256').update(question).digest('hex');
}

function halfOf(question: string): string {
  return developed.has(question) ? 'developed' : HELD_OUT;
}

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
  for (const business of BUSINESSES) {
    const file = path.join(folder, `${business.name}.sqlite`);
    makeDatabase(business, file);
    const adapter = resolveAdapter(sqlite({ file }));
    const store = createText2Sql({ adapter: sqlite({ file }), model: lexical() });
    for (const asked of business.questions) {
      const half = halfOf(asked[0]);
      if (!halves.includes(half)) continue;
      const { verdict, said } = await judge(store, adapter, asked);
      const row = counts.get(half) ?? { right: 0, wrong: 0, declined: 0 };
      row[verdict] += 1;
      counts.set(half, row);
      if (listed.includes(verdict)) console.log(`${verdict}: ${business.name}: ${asked[0]}\n    ${said}`);
    }
    await store.close();
    await adapter.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

for (const [half, { right, wrong, declined }] of counts) {
  const all = right + wrong + declined;
  const share = (count: number): string => `${count} (${((100 * count) / all).toFixed(1)} %)`;
  console.log(`${half}: ${all} questions, right ${share(right)}, wrong ${share(wrong)}, declined ${share(declined)}`);
}
const measured = counts.get(HELD_OUT);
if (measured !== undefined) {
  const all = measured.right + measured.wrong + measured.declined;
  const holds = measured.right >= 0.45 * all && measured.wrong <= 0.03 * all;
  console.log(holds ? 'The bars hold.' : 'The bars do NOT hold.');
  if (!holds) process.exitCode = 1;
}
