import { isAskemaError, type Planner } from '@askema/core';
import { explainFailure } from './errors/explain.ts';
import type { ResolvedOptions } from './options.ts';
import { runRequest } from './pool/run-request.ts';
import type { WorkerPool } from './pool/worker-pool.ts';
import type { RawPlan } from './protocol.ts';

/**
 * Prepares a statement without running it: its kind, the tables that it would open, or SQLite's complaint. What this
 * adapter never runs (ATTACH, a second statement, …) is `invalid`. SQLite has no estimates.
 */
export function createPlanner(pool: WorkerPool, { file }: ResolvedOptions): Planner {
  return {
    async check(sql, { timeoutMs, context }) {
      const limits = { timeoutMs, signal: context.signal, sql, what: 'Checking the statement' };
      try {
        let plan: RawPlan | undefined;
        for await (const answer of runRequest(pool, { type: 'check', sql }, limits, (failure) =>
          explainFailure(failure, file, sql),
        ))
          if (answer.type === 'value') plan = answer.value as RawPlan;
        return { verdict: 'ok', ...plan };
      } catch (thrown) {
        if (!isAskemaError(thrown) || !thrown.code.startsWith('QUERY_') || thrown.code === 'QUERY_TIMEOUT')
          throw thrown;
        return {
          verdict: 'invalid',
          error: { message: thrown.message, details: { ...thrown.details, code: thrown.code } },
        };
      }
    },
  };
}
