import { type Adapter, AskemaError, isAskemaError, type Outcome, type SerializedError } from '@askema/core';
import { formatDuration } from '../../terminal/duration.ts';

/** An adapter whose statements share one time limit. */
interface LimitedAdapter {
  readonly adapter: Adapter;
  /** The outcome as the user should see it: a question that ran out of this time has failed with `QUERY_TIMEOUT`. */
  explain(outcome: Outcome): Outcome;
  /** Another question begins, with the whole time. */
  restart(): void;
}

/** Stands in the details of the error that ends a run, so that it is told from other budgets. */
const MARK = 'queryTimeLimitMs';

/**
 * Gives all statements of one question `limitMs` together. A statement that times out because nothing is left ends the
 * question at once: without that, each repair would wait for the whole limit again. Time that a model takes does not
 * count.
 */
export function limitQueryTime(inner: Adapter, limitMs: number): LimitedAdapter {
  let usedMs = 0;
  const timeLeft = (sql: string): number => {
    const leftMs = Math.floor(limitMs - usedMs);
    if (leftMs < 1) throw timeLimitError(limitMs, sql);
    return leftMs;
  };
  const query: Adapter['query'] = async (sql, options = {}) => {
    const leftMs = timeLeft(sql);
    const startedAt = performance.now();
    try {
      return await inner.query(sql, { ...options, timeoutMs: Math.min(options.timeoutMs ?? leftMs, leftMs) });
    } catch (error) {
      const isUsedUp =
        isAskemaError(error) && error.code === 'QUERY_TIMEOUT' && (options.timeoutMs ?? leftMs) >= leftMs;
      throw isUsedUp ? timeLimitError(limitMs, sql, error) : error;
    } finally {
      usedMs += performance.now() - startedAt;
    }
  };
  const stream: Adapter['stream'] = async (sql, options = {}) =>
    inner.stream(sql, { ...options, timeoutMs: Math.min(options.timeoutMs ?? limitMs, timeLeft(sql)) });
  const restart = (): void => {
    usedMs = 0;
  };
  return { adapter: { ...inner, query, stream }, explain: explainOutcome, restart };
}

/** `BUDGET_EXCEEDED`, because flows take a `QUERY_TIMEOUT` for something that another statement may mend. */
function timeLimitError(limitMs: number, sql: string, cause?: AskemaError): AskemaError {
  const message = `The query was given up: the statements of a question may take ${formatDuration(limitMs)} together. Ask for less, or raise --timeout.`;
  return new AskemaError('BUDGET_EXCEEDED', message, {
    details: { sql, errorClass: 'timeout', [MARK]: limitMs },
    cause,
  });
}

function explainOutcome(outcome: Outcome): Outcome {
  if (outcome.type !== 'budgetExceeded' || outcome.error.details[MARK] === undefined) return outcome;
  const error: SerializedError = { ...outcome.error, code: 'QUERY_TIMEOUT' };
  const { result: _, ...base } = outcome;
  return { ...base, type: 'failed', error };
}
