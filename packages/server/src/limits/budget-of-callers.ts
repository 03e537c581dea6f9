import { type Budget, type BudgetOptions, createBudget, isBudget } from '@askema/core';
import { type CurrentRequest, currentRequest } from '../statements/current-request.ts';
import type { Limiter } from './limiter.ts';

type Held = ReturnType<Budget['reserve']>;

/**
 * A budget for a database that callers share: each call of a model counts for the caller of the current request, and
 * for `given` as well: limits are those of each request. What runs for nobody counts for `given` alone.
 */
export function budgetOfCallers(limiter: Limiter, given: Budget | BudgetOptions | undefined): Budget {
  const ofRequests = new WeakMap<CurrentRequest, Budget>();
  const ofRequest = (request: CurrentRequest | undefined): Budget | undefined => {
    if (given === undefined || isBudget(given)) return given;
    if (request === undefined) return createBudget(given);
    const budget = ofRequests.get(request) ?? createBudget(given);
    ofRequests.set(request, budget);
    return budget;
  };
  const all = (): readonly Budget[] => {
    const request = currentRequest();
    const ofCaller = request === undefined ? undefined : limiter.of(request.caller).budget();
    return [ofCaller, ofRequest(request)].filter((budget) => budget !== undefined);
  };
  const remaining = (): readonly number[] => all().flatMap((budget) => budget.remainingMs() ?? []);
  return {
    limits: {},
    spent: () => all().at(-1)?.spent() ?? NOTHING,
    remainingMs: () => (remaining().length === 0 ? undefined : Math.min(...remaining())),
    // Which caller has a limit on money is known when one calls.
    throwUnlessPriced: (model) => {
      if (given !== undefined) (isBudget(given) ? given : createBudget(given)).throwUnlessPriced(model);
    },
    reserve(model, request) {
      const held: Held[] = [];
      for (const budget of all())
        try {
          budget.throwUnlessPriced(model);
          held.push(budget.reserve(model, request));
        } catch (thrown) {
          // The call is not sent: what another budget held for it is free again.
          for (const each of held) each.settleFailed(thrown);
          throw thrown;
        }
      return {
        amounts: held.at(-1)?.amounts ?? { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 },
        settle: (result) => [...new Set(held.flatMap((each) => each.settle(result)))],
        settleFailed: (error) => {
          for (const each of held) each.settleFailed(error);
        },
      };
    },
    expire: (signal) => Promise.race(all().map((budget) => budget.expire(signal))),
  };
}

const NOTHING: ReturnType<Budget['spent']> = {
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  costUsd: 0,
  elapsedMs: 0,
  estimatedCalls: 0,
};
