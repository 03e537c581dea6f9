import { createFlow, end } from '@askema/core';
import { cteFlow } from './cte/cte-flow.ts';
import type { RefineThreadState } from './state/refine-state.ts';
import type { RefineDeps } from './tasks/refine-tasks.ts';
import { executeAttempt } from './thread/execute-attempt.ts';
import { exploreThread } from './thread/explore-thread.ts';
import { inspectBeforeRun } from './thread/inspect-before-run.ts';
import { checkResult, reviewResult } from './thread/review-result.ts';
import { expandSchema, writeSql } from './thread/write-sql.ts';

/** The limits of the plan bound every loop; this only has to be above them. */
const MAX_STEPS = 100_000;

/**
 * One thread: exploration, then self-refinement (Algorithm 2): write, execute, review, until the same plausible answer
 * came often enough or a limit is reached; then, CTE by CTE. Ends as `answered`, `unresolved` or `declined`.
 */
export const refineThreadFlow = createFlow<RefineThreadState, RefineDeps>({
  name: 'refine-thread',
  maxSteps: MAX_STEPS,
})
  .step(exploreThread, { default: 'write-sql', ctes: 'ctes' })
  .step(writeSql, {
    default: 'execute',
    inspect: 'inspect-statement',
    expand: 'expand-schema',
    declined: end,
    ctes: 'ctes',
  })
  .step(inspectBeforeRun, { default: 'execute', rewrite: 'write-sql' })
  .step(expandSchema, { default: 'write-sql' })
  .step(executeAttempt, {
    review: 'review',
    rewrite: 'write-sql',
    answered: end,
    unresolved: end,
    declined: end,
    ctes: 'ctes',
  })
  .step(reviewResult, {
    execute: 'execute',
    inspect: 'inspect-statement',
    check: 'check-result',
    rewrite: 'write-sql',
    review: 'review',
    answered: end,
    unresolved: end,
    declined: end,
    ctes: 'ctes',
  })
  .step(checkResult, { default: 'review' })
  .flow('ctes', cteFlow, { answered: end, unresolved: end })
  .build();
