import { describe, it } from 'vitest';
import { expectAnswer } from './testing/expect-answer.ts';
import { openLeague } from './testing/league.ts';
import { LEAGUE_ANSWERS } from './testing/league-answers.ts';

const league = openLeague();

for (const [kind, cases] of Object.entries(LEAGUE_ANSWERS)) {
  describe(`reads ${kind}`, () => {
    it.each(cases)('%s', (question, sql) => expectAnswer(league, question, sql));
  });
}
