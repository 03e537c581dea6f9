import { isAskemaError, type Planner } from '@askema/core';
import { explainFailure } from './errors/explain-failure.ts';
import { textRefusal } from './executor.ts';
import type { EnginePool } from './pool/engine-pool.ts';
import { requestValue } from './pool/run-request.ts';
import type { RawPlan } from './protocol.ts';

/**
 * Prepares a statement without running it: its kind, the relations that it names, how many rows DuckDB expects, or
 * DuckDB's complaint. What this adapter never runs (ATTACH, COPY, a second statement, …) is `invalid`.
 */
export function createPlanner(pool: EnginePool): Planner {
  return {
    async check(sql, { timeoutMs, context }) {
      const limits = { timeoutMs, signal: context.signal, sql, what: 'Checking the statement' };
      const refusal = textRefusal(sql);
      try {
        const request = { type: 'check', sql, textRefusal: refusal } as const;
        const plan = await requestValue<RawPlan>(pool, request, limits, (failure) => explainFailure(failure, sql));
        // By its kind it reads, and by its text it may do more.
        return {
          verdict: 'ok',
          ...plan,
          ...(plan?.statement === 'read' && refusal !== undefined ? { statement: 'other' } : {}),
        };
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
