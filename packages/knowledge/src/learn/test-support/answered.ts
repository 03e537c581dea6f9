import type { Outcome } from '@askema/core';

type Answered = Extract<Outcome, { type: 'answered' }>;

/** An answer without rows, as a history keeps it. */
export function answered(question: string, sql: string, more: Partial<Answered> = {}): Answered {
  return {
    type: 'answered',
    question,
    sql,
    runId: 'run',
    candidates: [],
    usage: {},
    calls: 0,
    executions: 1,
    elapsedMs: 1,
    warnings: [],
    result: { columns: [], rows: [], elapsedMs: 0 },
    assumptions: [],
    basedOn: [],
    sure: false,
    ...more,
  } as Answered;
}
