import type { Logger, Outcome } from '@askema/core';
import type { Text2Sql } from '@askema/text2sql';
import { logFailure } from '../errors/public-error.ts';
import { currentRequest } from '../statements/current-request.ts';

/** Its questions, each failure behind the server in the log. */
export function loggedFailures(text2sql: Text2Sql, logger: Logger): Text2Sql {
  const log = (outcome: Outcome): Outcome => {
    logFailure(outcome, 'A question failed', currentRequest()?.requestId, logger);
    return outcome;
  };
  return {
    ...text2sql,
    ask: async (question, options) => log(await text2sql.ask(question, options)),
    resume: async (runId, options) => log(await text2sql.resume(runId, options)),
  };
}
