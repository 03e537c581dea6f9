import { createFlow, end } from '@askema/core';
import type { RefineThreadState } from '../state/refine-state.ts';
import type { RefineDeps } from '../tasks/refine-tasks.ts';
import { judgeCte } from './judge-cte.ts';
import { lookAtCte, probeCte } from './look-at-cte.ts';
import { mendCte } from './mend-cte.ts';
import { writeCtes } from './write-ctes.ts';

/**
 * `maxCteCalls` bounds the loop: between two model calls there are at most a few steps. This only has to be above it.
 */
const MAX_STEPS = 100_000;

/**
 * CTE-based refinement (ReFoRCE, section 3.2.4) of one thread: the statement is written as a chain of CTEs, each is run
 * and judged by itself, the first one that is wrong is mended in its place, and what builds on it is run again. Ends as
 * `answered` (the thread's `ending` names the attempt) or `unresolved`. `cteTrace` tells what was looked at, found and
 * mended.
 */
export const cteFlow = createFlow<RefineThreadState, RefineDeps>({ name: 'refine-ctes', maxSteps: MAX_STEPS })
  .step(writeCtes, { default: 'look-at-cte', again: 'write-ctes', unresolved: end('unresolved') })
  .step(lookAtCte, { judge: 'judge-cte', mend: 'mend-cte', answered: end('answered'), unresolved: end('unresolved') })
  .step(judgeCte, {
    next: 'look-at-cte',
    look: 'look-at-cte',
    mend: 'mend-cte',
    probe: 'probe-cte',
    answered: end('answered'),
    unresolved: end('unresolved'),
  })
  .step(probeCte, { default: 'judge-cte' })
  .step(mendCte, { look: 'look-at-cte', mend: 'mend-cte', unresolved: end('unresolved') })
  .build();
