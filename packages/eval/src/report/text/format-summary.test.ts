import { expect, it } from 'vitest';
import type { EvaluationGroup, EvaluationSummary } from '../../run/evaluation-result.ts';
import { formatSummary } from './format-summary.ts';

const group = (name: string, right: number, wrong: number, declined = 0): EvaluationGroup => ({
  name,
  counts: { right, wrong, declined, failed: 0, goldFailed: 0 },
  counted: right + wrong + declined,
  accuracy: right / (right + wrong + declined),
});

const summary: EvaluationSummary = {
  schemaVersion: 1,
  dataset: 'shop-questions',
  configuration: { model: 'scripted' },
  total: group('all', 13, 5, 2),
  byCategory: [group('core', 10, 2), group('mismatch', 3, 3, 2)],
  byDifficulty: [group('easy', 13, 5, 2)],
  usage: { inputTokens: 12345, outputTokens: 678 },
  calls: 21,
  executions: 25,
  elapsedMs: 61234,
  costUsd: 0.0421,
  unfinished: 3,
  failures: [{ code: 'MODEL_UNAVAILABLE', questions: 2, firstId: 'q3', message: `no\nanswer ${'x'.repeat(300)}` }],
  goldFailures: [{ id: 'q7', reason: 'The gold SQL fails: no such table: x' }],
  problems: Array.from({ length: 12 }, (_, n) => ({ line: n + 1, message: `Line ${n + 1} is no JSON` })),
};

it('lines the groups up, and says what is missing from the figures', () => {
  expect(formatSummary(summary)).toMatchInlineSnapshot(`
    "shop-questions: execution match
              questions  right  wrong  declined  failed  accuracy
    -------------------------------------------------------------
    core             12     10      2         0       0    83.3 %
    mismatch          8      3      3         2       0    37.5 %
    -------------------------------------------------------------
    easy             20     13      5         2       0    65.0 %
    -------------------------------------------------------------
    all              20     13      5         2       0    65.0 %
    -------------------------------------------------------------
    21 model calls, 12,345 tokens in, 678 out, 0.0421 USD
    25 statements, 61.2 s in all
    3 questions are not asked yet: start again to go on.
    Failed, by the code of the error: 2
      2 MODEL_UNAVAILABLE, first q3: no answer xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
    Not counted, because the gold SQL fails: 1
      q7: The gold SQL fails: no such table: x
    Lines of the dataset that cannot be used: 12
      Line 1 is no JSON
      Line 2 is no JSON
      Line 3 is no JSON
      Line 4 is no JSON
      Line 5 is no JSON
      Line 6 is no JSON
      Line 7 is no JSON
      Line 8 is no JSON
      Line 9 is no JSON
      Line 10 is no JSON
      and 2 more"
  `);
});
