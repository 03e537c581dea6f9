import { type CallLimitsOptions, isAskemaError, type Planner, type PlanVerdict } from '@askema/core';

/**
 * A planner of `check`, which gives its verdict within the limits or rejects. Where it rejects because of the statement
 * (`QUERY_*`), the verdict is `invalid` with the complaint; a deadline, an abort and errors of the connection reject.
 */
export function plannerOf(check: (sql: string, limits: CallLimitsOptions) => Promise<PlanVerdict>): Planner {
  return {
    async check(sql, { timeoutMs, context }) {
      try {
        const limits = { what: 'Checking the statement', sql, onlyPlans: true, timeoutMs, signal: context.signal };
        return await check(sql, limits);
      } catch (error) {
        if (!isAskemaError(error) || !error.code.startsWith('QUERY_') || error.code === 'QUERY_TIMEOUT') throw error;
        const { message, details, code } = error;
        return { verdict: 'invalid', error: { message, details: { ...details, code } } };
      }
    },
  };
}
