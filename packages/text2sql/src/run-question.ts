import {
  type AskemaError,
  createCallContext,
  decodeValue,
  type EventSink,
  type FlowResult,
  type Outcome,
  type RunEvent,
  type RunOptions,
  type Runtime,
  toAskemaError,
} from '@askema/core';
import { createCostLedger } from './cost-ledger.ts';
import { bestResultOf, isOverBudget, outcomeOf } from './outcome-of.ts';
import type { Text2SqlDeps } from './text2sql-deps.ts';
import type { Text2SqlState } from './text2sql-state.ts';

export interface QuestionRun {
  readonly deps: Text2SqlDeps;
  readonly runId: string;
  /** As it is before the first step; the flow works on a copy. */
  readonly state: Text2SqlState;
  readonly runtime: Runtime;
  readonly listeners: readonly (EventSink | undefined)[];
  readonly signal: AbortSignal;
  /** Starts or resumes the flow with these listeners. */
  readonly start: (
    listeners: Required<Pick<RunOptions<Text2SqlState>, 'onEvent' | 'onState'>>,
  ) => Promise<FlowResult<Text2SqlState, string>>;
}

/** Runs a question to its outcome. Whatever goes wrong on the way is in the outcome. */
export async function runQuestion(run: QuestionRun): Promise<Outcome> {
  const startedAt = run.runtime.clock.now();
  const costs = createCostLedger();
  let state = run.state;
  // A run that breaks off rejects with an error alone; what it had found until then belongs to the outcome.
  const onState = (current: Text2SqlState): void => {
    state = current;
  };
  const onEvent: EventSink = (event) => {
    costs.listen(event);
    for (const listener of run.listeners) tell(listener, event);
  };
  let error: AskemaError | undefined;
  let request: { readonly value: unknown } | undefined;
  try {
    const result = await run.start({ onEvent, onState });
    state = result.state;
    if (result.status === 'suspended') request = { value: result.request };
  } catch (thrown) {
    error = toAskemaError(thrown);
  }
  const bestResult = isOverBudget({ state, error })
    ? await bestResultOf(state, run.deps, createCallContext({ runId: run.runId, path: 'best', signal: run.signal }))
    : undefined;
  // Threads that broke the run off had written to its state what their finished steps spent.
  const unrecorded = costs.unrecorded(Boolean(state.refine.brokenOff));
  const elapsedMs = run.runtime.clock.now() - startedAt;
  return outcomeOf({ runId: run.runId, state, error, request, unrecorded, elapsedMs }, bestResult);
}

/** The state that a journal holds for the start of a run. */
export function startOf(encoded: Parameters<typeof decodeValue>[0]): Text2SqlState {
  return decodeValue(encoded) as Text2SqlState;
}

function tell(listener: EventSink | undefined, event: RunEvent): void {
  try {
    const returned: unknown = listener?.(event);
    if (returned instanceof Promise) returned.catch(() => undefined);
  } catch {
    // A listener that fails must not change what it listens to.
  }
}
