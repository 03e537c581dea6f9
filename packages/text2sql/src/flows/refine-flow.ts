import { createFlow, end } from '@askema/core';
import { enterThreads, leaveThreads } from '../refine/run-threads.ts';
import { chooseAnswer } from '../refine/steps/choose-answer.ts';
import { expectFormat } from '../refine/steps/expect-format.ts';
import { profileColumns } from '../refine/steps/profile-columns.ts';
import { vote } from '../refine/steps/vote.ts';
import { refineThreadFlow } from '../refine/thread-flow.ts';
import { getSchema } from '../steps/get-schema.ts';
import type { Text2SqlDeps } from '../text2sql-deps.ts';
import type { Text2SqlState } from '../text2sql-state.ts';

/**
 * ReFoRCE (arXiv 2502.00675): schema and documents, the expected answer format, threads that explore and refine independently, a vote over their
 * whole results, and a model that settles what the vote cannot. Which stages run, and their limits, stand in `state.refine.plan`.
 */
export const refineFlow = createFlow<Text2SqlState, Text2SqlDeps>({ name: 'refine' })
  .step(getSchema, { default: 'expect-format' })
  .step(expectFormat, { default: 'profile-columns' })
  .step(profileColumns, { default: 'threads' })
  .parallel(
    'threads',
    refineThreadFlow,
    { default: 'vote', more: 'threads' },
    {
      actions: ['default', 'more'],
      enter: enterThreads,
      leave: leaveThreads,
      concurrency: (deps) => deps.refine.limits.concurrency,
      onError: 'collect',
    },
  )
  .step(vote, { default: end, tie: 'choose-answer' })
  .step(chooseAnswer, { default: end })
  .build();
