import { addUsage, isAskemaError, type Solver, type Usage } from '@askema/core';

/** What tasks cost, and who answered them. Plain JSON. */
export interface Spent {
  usage: Usage;
  /** Model calls. */
  calls: number;
  /** Each once. */
  solvedBy: string[];
  warnings: string[];
}

/** Nothing yet. */
export function createSpent(): Spent {
  return { usage: {}, calls: 0, solvedBy: [], warnings: [] };
}

/** Adds what a part of a run spent to what the run did. */
export function addSpent(total: Spent, part: Readonly<Spent>): void {
  total.usage = addUsage(total.usage, part.usage);
  total.calls += part.calls;
  total.solvedBy = [...new Set([...total.solvedBy, ...part.solvedBy])];
  total.warnings = [...new Set([...total.warnings, ...part.warnings])];
}

/** The same solver; what it spends, also on answers that failed, is added to `spent`. */
export function meteredSolver(solver: Solver, spent: Spent): Solver {
  return {
    ...solver,
    supports: (taskId) => solver.supports(taskId),
    async solve(task, input, context) {
      try {
        const solved = await solver.solve(task, input, context);
        const { usage, calls, solvedBy, warnings } = solved;
        addSpent(spent, { usage, calls, solvedBy: [solvedBy], warnings: [...warnings] });
        return solved;
      } catch (thrown) {
        addSpent(spent, spentOn(thrown));
        throw thrown;
      }
    },
  };
}

/** The cost that `fromModel` writes to the details of its errors. */
function spentOn(thrown: unknown): Spent {
  const details = isAskemaError(thrown) ? thrown.details : {};
  const { usage = {}, calls = 0 } = details as { readonly usage?: Usage; readonly calls?: number };
  return { ...createSpent(), usage, calls };
}
