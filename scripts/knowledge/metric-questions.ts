/**
 * How many business questions the solver answers from definitions alone, without a model. Questions over a star schema
 * of a chain of shops, each written by hand; the right rows come from loops over its tables, or, for what the
 * definitions do not answer, from statements. Usage:
 *
 * node --conditions=@askema/source scripts/knowledge/metric-questions.ts [--set developed,held-out] [--list right,wrong,declined]
 *
 * Bars, which both sets have to meet: at least 60 % of what the definitions answer is right, and nothing is wrong. Exits with 1 below
 * them. Once the questions that were held out were looked at, they belong to the others, and new ones are to be written.
 */
import { parseArgs } from 'node:util';
import type { ComparableResult } from '@askema/core';
import { createText2Sql, type Text2Sql } from '@askema/text2sql';
import { sqlite } from '../../adapters/sqlite/src/index.ts';
import { knowledgeSolver } from '../../packages/knowledge/src/index.ts';
import { knowledgeOf } from '../../packages/knowledge/src/test-support/plain-model.ts';
import { DEVELOPED } from './star-questions/developed.ts';
import { HELD_OUT } from './star-questions/held-out.ts';
import { type Verdict, verdictOf } from './star-questions/judge.ts';
import { openStar } from './star-questions/open-star.ts';
import type { StarQuestion } from './star-questions/question.ts';
import { STAR, TODAY } from './star-questions/star.ts';
import { WORDS } from './star-questions/words.ts';

/** Of all questions, those that cannot be answered included: declining them is not counted as right. */
const LEAST_RIGHT = 0.6;
const SETS = { developed: DEVELOPED, 'held-out': HELD_OUT };

const { values: flags } = parseArgs({
  options: { set: { type: 'string', default: 'developed,held-out' }, list: { type: 'string', default: 'wrong' } },
});
const listed = flags.list.split(',');

async function judge(
  store: Text2Sql,
  asked: StarQuestion,
  run: (sql: string) => ComparableResult,
): Promise<{ readonly verdict: Verdict; readonly said: string }> {
  const outcome = await store.ask(asked.question, { today: TODAY });
  if (outcome.type === 'answered') return { verdict: verdictOf(asked, outcome, run), said: outcome.sql };
  return { verdict: 'declined', said: 'reason' in outcome ? outcome.reason : JSON.stringify(outcome).slice(0, 300) };
}

const tables = openStar();
try {
  const store = createText2Sql({
    adapter: sqlite({ file: tables.file }),
    model: knowledgeSolver(knowledgeOf(STAR, WORDS)),
  });
  for (const [set, questions] of Object.entries(SETS)) {
    if (!flags.set.split(',').includes(set)) continue;
    const counts: Record<Verdict, number> = { right: 0, wrong: 0, declined: 0, failed: 0 };
    let known = 0;
    for (const asked of questions) {
      const { verdict, said } = await judge(store, asked, tables.run);
      counts[verdict] += 1;
      if (asked.means.length > 0) known += 1;
      // What was held out stays unread: only its numbers are shown, unless somebody asks for it by `--list`.
      const unanswerable = asked.means.length === 0 ? ' (the definitions do not answer it)' : '';
      if (listed.includes(verdict))
        console.log(`${verdict}: ${asked.id} ${asked.question}${unanswerable}\n    ${said}`);
    }
    const share = Math.round((100 * counts.right) / questions.length);
    console.log(
      `${set}: ${counts.right} right (${share} %), ${counts.wrong} wrong, ${counts.declined} declined of ${questions.length}, ` +
        `of which the definitions answer ${known}`,
    );
    if (counts.right < LEAST_RIGHT * questions.length || counts.wrong > 0) process.exitCode = 1;
  }
  await store.close();
} finally {
  tables.close();
}
