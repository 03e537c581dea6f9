import {
  type AskemaError,
  type EventSink,
  type FlowResult,
  type RunEvent,
  type RunOptions,
  type Runtime,
  toAskemaError,
} from '@askema/core';
import type { ClarificationRequest } from '../agent/clarify.ts';
import type { DesignDeps } from '../design-deps.ts';
import type { DesignState } from '../design-state.ts';
import type { DesignOutcome } from '../model/index.ts';
import { outcomeOf } from './outcome-of.ts';

export interface DesignRun {
  readonly deps: DesignDeps;
  readonly runId: string;
  /** As it is before the first step; the flow works on a copy. */
  readonly state: DesignState;
  readonly runtime: Runtime;
  readonly listeners: readonly (EventSink | undefined)[];
  /** Starts or resumes the flow with these listeners. */
  readonly start: (
    listeners: Required<Pick<RunOptions<DesignState>, 'onEvent' | 'onState'>>,
  ) => Promise<FlowResult<DesignState, string>>;
}

/** Runs a design to its outcome. Whatever goes wrong on the way is in the outcome, with all that was made until then. */
export async function runDesign(run: DesignRun): Promise<DesignOutcome> {
  const startedAt = run.runtime.clock.now();
  let { state } = run;
  // A run that breaks off rejects with an error alone; what it had made until then belongs to the outcome.
  const onState = (current: Readonly<DesignState>): void => {
    state = current as DesignState;
  };
  const onEvent: EventSink = (event) => {
    for (const listener of run.listeners) tell(listener, event);
  };
  let action: string | undefined;
  let error: AskemaError | undefined;
  let request: ClarificationRequest | undefined;
  try {
    const result = await run.start({ onEvent, onState });
    state = result.state;
    if (result.status === 'suspended') request = result.request as ClarificationRequest;
    else action = result.action;
  } catch (thrown) {
    error = toAskemaError(thrown);
  }
  const elapsedMs = run.runtime.clock.now() - startedAt;
  const unrecorded = [...run.deps.open];
  return structuredClone(outcomeOf({ runId: run.runId, state, action, error, request, unrecorded, elapsedMs }));
}

function tell(listener: EventSink | undefined, event: RunEvent): void {
  try {
    const returned: unknown = listener?.(event);
    if (returned instanceof Promise) returned.catch(() => undefined);
  } catch {
    // A listener that fails must not change what it listens to.
  }
}
