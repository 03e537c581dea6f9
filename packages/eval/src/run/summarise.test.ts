import { AskemaError } from '@askema/core';
import { expect, it } from 'vitest';
import { formatSummary } from '../report/text/format-summary.ts';
import type { EvaluationResult } from './evaluation-result.ts';
import { summarise, summariseFailures } from './summarise.ts';

const result = (id: string, more: Partial<EvaluationResult>): EvaluationResult =>
  ({ id, verdict: 'failed', ...more }) as EvaluationResult;
const error = (message: string) => new AskemaError('MODEL_UNAVAILABLE', message).toJSON();

it('counts failures by the code of their error, the most frequent first, with the words of the first', () => {
  expect(
    summariseFailures([
      result('a', { reason: 'gave up' }),
      result('b', { error: error('no route') }),
      result('c', { verdict: 'wrong', reason: 'other rows' }),
      result('d', { error: error('refused') }),
    ]),
  ).toEqual([
    { code: 'MODEL_UNAVAILABLE', questions: 2, firstId: 'b', message: 'no route' },
    { code: 'other', questions: 1, firstId: 'a', message: 'gave up' },
  ]);
  expect(summariseFailures([result('a', { verdict: 'right' })])).toEqual([]);
});

it('gives the figure of the official program: what was asked and did not come back is wrong, what lacks gold is not judged', () => {
  const official = { metric: 'spider2', tasks: 9 };
  const finished = [
    result('a', { verdict: 'wrong', scores: { spider2: 1 } }),
    result('b', { verdict: 'right', scores: { spider2: 0 } }),
    result('c', { verdict: 'failed' }),
    result('d', { verdict: 'declined' }),
    result('e', { verdict: 'right' }),
    result('f', { verdict: 'goldFailed' }),
  ].map((one) => ({ ...one, usage: {}, calls: 0, executions: 0, elapsedMs: 0, category: '', difficulty: '' }));
  const frame = { dataset: 'set', configuration: {}, problems: [], unfinished: 0, official };
  const summary = summarise(finished, { ...frame, metrics: ['spider2'] });
  expect(summary.official).toEqual({ ...official, judged: 4, right: 1 });
  expect(formatSummary(summary)).toContain(
    'Official score (spider2): 1 of 4 tasks right, 25.0 %.\nThis is a part: 5 of the 9 tasks of the set were not asked or not judged. Over the whole set it is 1 of 9, 11.1 %.',
  );
  // Without its metric nothing is known of it.
  expect(summarise(finished, { ...frame, metrics: [] })).not.toHaveProperty('official');
});
