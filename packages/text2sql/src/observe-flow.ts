import type { StepOf } from '@askema/core';
import type { Text2SqlDeps } from './text2sql-deps.ts';
import type { Text2SqlFlow } from './text2sql-options.ts';
import type { Text2SqlState } from './text2sql-state.ts';

type AnyStep = StepOf<Text2SqlState, Text2SqlDeps>;

/**
 * The same flow, which shows its state after each step. A run that breaks off rejects with an error alone; what it had found until
 * then belongs to the outcome.
 */
export function observeFlow(flow: Text2SqlFlow, onState: (state: Text2SqlState) => void): Text2SqlFlow {
  let observed = flow;
  for (const [name, node] of Object.entries(flow.steps)) {
    if (node.kind === 'flow') continue;
    const step = node as AnyStep;
    const post = (state: Text2SqlState, input: never, result: never): unknown => {
      const action = step.post(state, input, result);
      onState(state);
      return action;
    };
    observed = observed.replace(name, { ...step, post } as AnyStep) as Text2SqlFlow;
  }
  return observed;
}
