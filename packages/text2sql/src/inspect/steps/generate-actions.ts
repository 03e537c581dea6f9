import { defineStep, type StepContext } from '@askema/core';
import { type AskedInput, readAsked, recordSpent, sqlInput } from '../../steps/sql-input.ts';
import { GENERATE_TOOLS } from '../../tasks/action-tools.ts';
import type { Text2SqlDeps } from '../../text2sql-deps.ts';
import type { Text2SqlState } from '../../text2sql-state.ts';
import { type AskedActions, actionForm, askActions } from '../ask-actions.ts';
import { declineActions } from '../decline-actions.ts';
import type { InspectPlan } from '../inspect-options.ts';
import { readActions } from '../read-actions.ts';

export interface GenerateActionsStart {
  readonly asked: AskedInput;
  readonly plan: InspectPlan;
}

/**
 * Asks for the whole sequence of clause actions at once (Tool-SQL, section 2.1). `declined` ends the flow: the question is unclear, or the database
 * cannot answer it.
 */
export const generateActions = defineStep<Text2SqlState, Text2SqlDeps>()({
  name: 'generate-actions',
  actions: ['default', 'declined'],
  prep: (state): GenerateActionsStart => ({ asked: readAsked(state), plan: state.inspect.plan }),
  exec: (start, context): Promise<AskedActions> => ask(start, context),
  post: (state, _start, asked) => {
    recordSpent(state, asked.spent);
    state.debugAttempts = 0;
    state.executionError = null;
    state.explanation = asked.explanation.trim() || null;
    if (asked.outcome !== 'actions') return declineActions(state, asked);
    state.inspect.sequence = readActions(asked);
    return 'default';
  },
});

async function ask({ asked, plan }: GenerateActionsStart, context: StepContext<Text2SqlDeps>): Promise<AskedActions> {
  const { deps } = context;
  const input = {
    ...(await sqlInput(asked, deps, context)),
    allowWrite: false,
    form: actionForm('generate', plan, deps),
    maySplit: plan.limits.maxDepth > 0,
  };
  const { maxTurns } = plan.limits;
  return askActions('generate', { task: deps.tasks.generateActions, input, tools: GENERATE_TOOLS, maxTurns }, context);
}
