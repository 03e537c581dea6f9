import { isAskemaError, type PlanVerdict } from '@askema/core';

/**
 * What a planner answers: the verdict of `check`, or `invalid` with the complaint where it rejects because of the
 * statement (`QUERY_*`). A deadline, an abort and errors of the connection are thrown on.
 */
export async function planVerdict(check: () => Promise<PlanVerdict>): Promise<PlanVerdict> {
  try {
    return await check();
  } catch (error) {
    if (!isAskemaError(error) || !error.code.startsWith('QUERY_') || error.code === 'QUERY_TIMEOUT') throw error;
    return { verdict: 'invalid', error: { message: error.message, details: { ...error.details, code: error.code } } };
  }
}
