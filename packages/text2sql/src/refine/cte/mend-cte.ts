import { defineStep, type StepContext } from '@askema/core';
import type { MendCteOutput } from '../../tasks/mend-cte.ts';
import type { Text2SqlDeps } from '../../text2sql-deps.ts';
import type { RefineThreadState } from '../refine-state.ts';
import {
  type Asked,
  askOrUnusable,
  promptInput,
  readThread,
  spendInThread,
  type ThreadInput,
} from '../thread/thread-input.ts';
import { applyChange, proposeChange, type StepChange, sectionsOf } from './change-step.ts';
import { cteStatement } from './cte-statement.ts';
import { cteEvent } from './cte-trace.ts';
import type { CteWork } from './cte-work.ts';
import { giveUp } from './end-cte.ts';

/** What {@link mendCte} starts from. */
export interface MendCteStart extends ThreadInput {
  readonly work: CteWork | undefined;
}

/** A new text, with what it would change. */
export type Mended = Asked<Pick<MendCteOutput, 'problem'> & { readonly change: StepChange | null }>;

/** Has the step at hand written anew: the database refused it, or it was found wrong without a new text that could be used. */
export const mendCte = defineStep<RefineThreadState, Text2SqlDeps>()({
  name: 'mend-cte',
  actions: ['look', 'mend', 'unresolved'],
  prep: (state): MendCteStart => ({ ...readThread(state), work: state.cte }),
  exec: (input, context): Promise<Mended> => mend(input, context),
  post: (state, _input, mended) => {
    spendInThread(state, mended.spent);
    if (state.cte === undefined) return giveUp(state);
    state.cte = { ...state.cte, calls: state.cte.calls + mended.spent.calls };
    if (mended.type === 'unusable') return giveUp(state);
    const { problem, change } = mended.value;
    // A mend that brings no text is its last word.
    return change === null ? giveUp(state, problem.trim()) : applyChange(state, change, problem.trim());
  },
});

async function mend(input: MendCteStart, context: StepContext<Text2SqlDeps>): Promise<Mended> {
  const { deps } = context;
  const { work, thread } = input;
  const { lexer } = deps.adapter.dialect;
  const statement = cteStatement(work?.sql ?? '', lexer);
  const position = work?.position ?? 0;
  const asked = await askOrUnusable(async () => {
    const fault = work?.fault ?? { type: 'problem' as const, problem: '' };
    const task = { ...(await promptInput(input, context)), ...sectionsOf(statement, work, lexer), fault };
    return deps.refine.solverOf('cte', thread).solve(deps.tasks.mendCte, task, context);
  });
  if (asked.type === 'unusable') return asked;
  const { problem, cte, body } = asked.value;
  const name = statement.steps[position]?.name ?? '';
  context.emit(cteEvent({ name, number: position + 1, of: statement.steps.length }, { verdict: 'mended', problem }));
  return { ...asked, value: { problem, change: proposeChange(statement, position, { cte, body }, lexer) } };
}
