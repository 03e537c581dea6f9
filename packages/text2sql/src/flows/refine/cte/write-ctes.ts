import { defineStep, type StepContext } from '@askema/core';
import { cleanSql } from '../../../prompts/clean-sql.ts';
import { askOrUnusable, type TaskAnswer } from '../../../question/question-input.ts';
import { createCteWork } from '../state/cte-work.ts';
import type { RefineAttempt, RefineThreadState } from '../state/refine-state.ts';
import type { RefineDeps } from '../tasks/refine-tasks.ts';
import type { WriteCtesOutput } from '../tasks/write-ctes.ts';
import { promptInput, readThread, spendInThread, type ThreadInput } from '../thread/thread-input.ts';
import { cteStatement } from './cte-statement.ts';
import { giveUp, mayAsk } from './cte-trace.ts';

/** What {@link writeCtes} starts from. */
export interface WriteCtesStart extends ThreadInput {
  readonly attempts: readonly RefineAttempt[];
  /** A statement of this step that had no CTE. */
  readonly withoutCtes: string | null;
  readonly mayAsk: boolean;
}

/** A statement as it was written, and whether it has CTEs. */
export type WrittenCtes = TaskAnswer<WriteCtesOutput & { readonly hasCtes: boolean }>;

/**
 * Writes the statement as a chain of CTEs, from everything that the thread knows and what it tried in vain. A statement
 * without WITH is asked for once more (`again`); if that has none either, it is judged as one step.
 */
export const writeCtes = defineStep<RefineThreadState, RefineDeps>()({
  name: 'write-ctes',
  actions: ['default', 'again', 'unresolved'],
  prep: (state): WriteCtesStart => ({
    ...readThread(state),
    attempts: state.attempts,
    withoutCtes: state.cte?.sql ?? null,
    mayAsk: mayAsk(state),
  }),
  exec: (input, context): Promise<WrittenCtes | null> => (input.mayAsk ? write(input, context) : Promise.resolve(null)),
  post: (state, { withoutCtes }, written) => {
    if (written === null) return giveUp(state);
    spendInThread(state, written.spent);
    const calls = (state.cte?.calls ?? 0) + written.spent.calls;
    if (written.type === 'unusable') return giveUp(state);
    const { sql, steps, explanation, hasCtes } = written.value;
    if (sql === '') return giveUp(state);
    state.explanation = explanation.trim() || state.explanation;
    const wasRestructured = withoutCtes !== null;
    state.cte = createCteWork({ sql, purposes: steps, calls, wasRestructured });
    return hasCtes || wasRestructured ? 'default' : 'again';
  },
});

async function write(input: WriteCtesStart, context: StepContext<RefineDeps>): Promise<WrittenCtes> {
  const { deps } = context;
  const { attempts, withoutCtes, thread } = input;
  const asked = await askOrUnusable(async () => {
    const task = { ...(await promptInput(input, context)), attempts, withoutCtes };
    return deps.own.solverOf('cte', thread).solve(deps.own.tasks.writeCtes, task, context);
  });
  if (asked.type === 'unusable') return asked;
  const sql = cleanSql(asked.value.sql);
  const { split } = cteStatement(sql, deps.adapter.dialect.lexer);
  return { ...asked, value: { ...asked.value, sql, hasCtes: split.ctes.length > 0 } };
}
