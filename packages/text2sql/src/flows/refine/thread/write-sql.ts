import { defineStep, type StepContext } from '@askema/core';
import { cleanSql } from '../../../prompts/clean-sql.ts';
import { onOneLine } from '../../../prompts/cut-text.ts';
import { readingsOf } from '../../../steps/accept-output.ts';
import { describeRelations, wantedRelations } from '../../../steps/describe-relations.ts';
import type { RefineAttempt, RefineThreadState } from '../state/refine-state.ts';
import type { RefineSqlOutput } from '../tasks/refine-sql.ts';
import type { RefineDeps } from '../tasks/refine-tasks.ts';
import { askInThread, type ChatAnswer, keepChat } from './thread-chat.ts';
import { endThread, failThread, promptInput, readThread, spendInThread, type ThreadInput } from './thread-input.ts';

export interface WriteInput extends ThreadInput {
  readonly perspective: string;
  readonly attempts: readonly RefineAttempt[];
  readonly canExpand: boolean;
}

/**
 * Writes a statement, the first one or one that mends what was tried. `expand`: the model asks for a part of the schema
 * first. `declined`: it says that the question is unclear or that the database cannot answer it. `ctes`: it gave nothing
 * that can be used. `inspect`: the statement is inspected before it runs.
 */
export const writeSql = defineStep<RefineThreadState, RefineDeps>()({
  name: 'write-sql',
  actions: ['default', 'inspect', 'expand', 'declined', 'ctes'],
  prep: (state): WriteInput => ({
    ...readThread(state),
    perspective: state.perspective,
    attempts: state.attempts,
    canExpand: mayExpand(state),
  }),
  exec: (input, context): Promise<ChatAnswer<RefineSqlOutput>> => write(input, context),
  post: (state, { canExpand }, asked) => {
    spendInThread(state, asked.spent);
    keepChat(state, asked);
    if (asked.type === 'unusable') return failThread(state, asked.error);
    const {
      outcome,
      sql,
      explanation,
      not_understood: notUnderstood,
      other_readings,
      format_departs,
      expand,
    } = asked.value;
    const wanted = wantedRelations(expand);
    if (canExpand && wanted.length > 0) {
      state.wanted = [...wanted];
      return 'expand';
    }
    state.explanation = explanation.trim() || state.explanation;
    state.otherReadings = readingsOf(other_readings);
    // Once: what a thread said first stands.
    if (state.format !== null && state.plan.rules.format === 'open')
      state.formatDeparts ||= onOneLine(format_departs).trim();
    if (outcome !== 'sql') {
      endThread(state, { type: 'declined', outcome, explanation: explanation.trim(), notUnderstood });
      return 'declined';
    }
    state.sql = cleanSql(sql);
    return state.plan.stages.inspection ? 'inspect' : 'default';
  },
});

function mayExpand(state: Readonly<RefineThreadState>): boolean {
  return state.canExpand && state.expansions < state.plan.limits.maxExpansions;
}

async function write(input: WriteInput, context: StepContext<RefineDeps>): Promise<ChatAnswer<RefineSqlOutput>> {
  const { own } = context.deps;
  const { perspective, attempts, canExpand } = input;
  const asked = { ...(await promptInput(input, context)), perspective, attempts, canExpand };
  const solver = own.solverOf('generate', input.thread);
  return askInThread({ solver, task: own.tasks.refineSql, input: asked }, context);
}

export interface ExpandInput {
  readonly names: readonly string[];
  readonly catalogFingerprint: string | null;
  readonly known: readonly string[];
}

/** Gives a thread the descriptions of relations that its compressed schema leaves out. What does not exist is said. */
export const expandSchema = defineStep<RefineThreadState, RefineDeps>()({
  name: 'expand-schema',
  prep: (state): ExpandInput => ({
    names: state.wanted,
    catalogFingerprint: state.asked.catalogFingerprint,
    known: state.expanded,
  }),
  exec: async ({ names, catalogFingerprint, known }, context): Promise<readonly string[]> => {
    const texts = await describeRelations(names, catalogFingerprint, context.deps, context);
    return texts.filter((text) => !known.includes(text));
  },
  post: (state, _input, texts) => {
    state.expansions += 1;
    state.expanded = [...state.expanded, ...texts];
    state.wanted = [];
  },
});
