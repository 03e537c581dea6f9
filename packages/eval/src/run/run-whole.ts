import { type Adapter, AskemaError, createCallContext, isAskemaError, type QueryResult } from '@askema/core';

/** Larger results than these are not compared. */
const SCORING_CAPS = { maxRows: 500_000, maxBytes: 256 * 1024 * 1024 } as const;

export interface StatementOptions {
  readonly adapter: Adapter;
  /** Of each statement of the scoring. */
  readonly goldTimeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a statement for the scoring: nothing of its result is cut.
 *
 * @throws AskemaError `INPUT_INVALID` for a result that is too large to be compared; else as the adapter.
 */
export async function runWhole(sql: string, options: StatementOptions): Promise<QueryResult> {
  const context = createCallContext({ signal: options.signal, tags: { purpose: 'evaluation' } });
  const result = await options.adapter.query(sql, { ...SCORING_CAPS, timeoutMs: options.goldTimeoutMs, context });
  if (result.truncated === undefined) return result;
  throw new AskemaError('INPUT_INVALID', `The result has too many ${result.truncated} to be compared.`, {
    details: { tooLarge: true },
  });
}

/** Whether a statement ran all the same: only its result was too large. */
export function isTooLarge(thrown: unknown): boolean {
  return isAskemaError(thrown) && thrown.details.tooLarge === true;
}
