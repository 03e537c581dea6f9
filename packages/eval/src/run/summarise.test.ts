import { AskemaError } from '@askema/core';
import { expect, it } from 'vitest';
import type { EvaluationResult } from './evaluation-result.ts';
import { summariseFailures } from './summarise.ts';

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
