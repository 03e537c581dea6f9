import { AskemaError, type Logger, type Outcome } from '@askema/core';
import type { Text2Sql } from '@askema/text2sql';
import { loggedError, statusOf } from '../errors/public-error.ts';
import { currentRequest } from '../statements/current-request.ts';

/**
 * Questions that end in a failure are no failed requests, but callers are told that the log has the reason: whatever
 * failed behind the server stands there, under the id of the request.
 */
export function loggedFailures(text2sql: Text2Sql, logger: Logger): Text2Sql {
  const log = (outcome: Outcome): Outcome => {
    if (outcome.type !== 'failed' || statusOf(outcome.error.code) < 500) return outcome;
    const { requestId } = currentRequest() ?? {};
    const error = loggedError(AskemaError.fromJSON(outcome.error));
    logger.warn('A question failed', { requestId, run: outcome.runId, error });
    return outcome;
  };
  return {
    ...text2sql,
    ask: async (question, options) => log(await text2sql.ask(question, options)),
    resume: async (runId, options) => log(await text2sql.resume(runId, options)),
  };
}
