import { defineStep, type StepContext } from '@askema/core';
import { cleanSql } from '../../clean-sql.ts';
import type { RefineSqlOutput } from '../../tasks/refine-sql.ts';
import type { Text2SqlDeps } from '../../text2sql-deps.ts';
import type { RefineAttempt, RefineThreadState } from '../refine-state.ts';
import {
  type Asked,
  askOrUnusable,
  endThread,
  promptInput,
  readThread,
  spendInThread,
  type ThreadInput,
} from './thread-input.ts';

export interface WriteInput extends ThreadInput {
  readonly perspective: string;
  readonly attempts: readonly RefineAttempt[];
  readonly canExpand: boolean;
}

/**
 * Writes a statement, the first one or one that mends what was tried. `expand`: the model asks for a part of the schema first. `declined`: it says that
 * the question is unclear or that the database cannot answer it, or it gave nothing that can be used. `inspect`: the statement is inspected before it runs.
 */
export const writeSql = defineStep<RefineThreadState, Text2SqlDeps>()({
  name: 'write-sql',
  actions: ['default', 'inspect', 'expand', 'declined'],
  prep: (state): WriteInput => ({
    ...readThread(state),
    perspective: state.perspective,
    attempts: state.attempts,
    canExpand: mayExpand(state),
  }),
  exec: (input, context): Promise<Asked<RefineSqlOutput>> => write(input, context),
  post: (state, { canExpand }, asked) => {
    spendInThread(state, asked.spent);
    if (asked.type === 'unusable') {
      endThread(state, { type: 'failed', error: asked.error });
      return 'declined';
    }
    const { outcome, sql, explanation, not_understood: notUnderstood, expand } = asked.value;
    const wanted = expand.map((name) => name.trim()).filter((name) => name !== '');
    if (canExpand && wanted.length > 0) {
      state.wanted = wanted.slice(0, MAX_NAMES);
      return 'expand';
    }
    state.explanation = explanation.trim() || state.explanation;
    if (outcome !== 'sql') {
      endThread(state, { type: 'declined', outcome, explanation: explanation.trim(), notUnderstood });
      return 'declined';
    }
    state.sql = cleanSql(sql);
    return state.plan.stages.inspection ? 'inspect' : 'default';
  },
});

/** Relations that one answer may ask for. */
const MAX_NAMES = 5;

function mayExpand(state: Readonly<RefineThreadState>): boolean {
  return state.canExpand && state.expansions < state.plan.limits.maxExpansions;
}

function write(input: WriteInput, context: StepContext<Text2SqlDeps>): Promise<Asked<RefineSqlOutput>> {
  const { deps } = context;
  const { perspective, attempts, canExpand } = input;
  return askOrUnusable(async () => {
    const task = { ...(await promptInput(input, context)), perspective, attempts, canExpand };
    return deps.refine.solverOf('generate', input.thread).solve(deps.tasks.refineSql, task, context);
  });
}
