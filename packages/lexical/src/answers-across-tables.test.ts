import { describe, it } from 'vitest';
import { expectAnswer } from './testing/expect-answer.ts';
import { openLeague } from './testing/league.ts';
import { LEAGUE_ANSWERS_ACROSS_TABLES } from './testing/league-answers-across-tables.ts';

const league = openLeague();

for (const [kind, cases] of Object.entries(LEAGUE_ANSWERS_ACROSS_TABLES)) {
  describe(`reads ${kind}`, () => {
    it.each(cases)('%s', (question, sql) => expectAnswer(league, question, sql));
  });
}
