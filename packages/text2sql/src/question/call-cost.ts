import { type AskemaError, addUsage, type Solved } from '@askema/core';

/** What model calls cost. */
export type CallCost = Pick<Solved<unknown>, 'usage' | 'calls'>;

/** Of no call. */
export const NO_COST: CallCost = { usage: {}, calls: 0 };

export function sumCosts(...all: readonly CallCost[]): CallCost {
  return {
    usage: addUsage(...all.map(({ usage }) => usage)),
    calls: all.reduce((sum, { calls }) => sum + calls, 0),
  };
}

/** What calls cost that ended with an error: `fromModel` writes it to the details. */
export function costOfError({ details }: AskemaError): CallCost {
  const { usage = {}, calls = 0 } = details as Partial<CallCost>;
  return { usage, calls };
}
