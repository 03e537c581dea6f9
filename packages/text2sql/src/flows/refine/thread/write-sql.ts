import { defineStep, type StepContext } from '@askema/core';
import { servicesOf } from '@askema/grounding';
import { cleanSql } from '../../../prompts/clean-sql.ts';
import { askOrUnusable, catalogOf, type TaskAnswer } from '../../../question/question-input.ts';
import type { RefineAttempt, RefineThreadState } from '../state/refine-state.ts';
import type { RefineSqlOutput } from '../tasks/refine-sql.ts';
import type { RefineDeps } from '../tasks/refine-tasks.ts';
import { endThread, promptInput, readThread, spendInThread, type ThreadInput } from './thread-input.ts';

export interface WriteInput extends ThreadInput {
  readonly perspective: string;
  readonly attempts: readonly RefineAttempt[];
  readonly canExpand: boolean;
}

/**
 * Writes a statement, the first one or one that mends what was tried. `expand`: the model asks for a part of the schema
 * first. `declined`: it says that the question is unclear or that the database cannot answer it, or it gave nothing
 * that can be used. `inspect`: the statement is inspected before it runs.
 */
export const writeSql = defineStep<RefineThreadState, RefineDeps>()({
  name: 'write-sql',
  actions: ['default', 'inspect', 'expand', 'declined'],
  prep: (state): WriteInput => ({
    ...readThread(state),
    perspective: state.perspective,
    attempts: state.attempts,
    canExpand: mayExpand(state),
  }),
  exec: (input, context): Promise<TaskAnswer<RefineSqlOutput>> => write(input, context),
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

function write(input: WriteInput, context: StepContext<RefineDeps>): Promise<TaskAnswer<RefineSqlOutput>> {
  const { deps } = context;
  const { perspective, attempts, canExpand } = input;
  return askOrUnusable(async () => {
    const task = { ...(await promptInput(input, context)), perspective, attempts, canExpand };
    return deps.own.solverOf('generate', input.thread).solve(deps.own.tasks.refineSql, task, context);
  });
}

/** Characters of one description; a relation of thousands of columns would push everything else out. */
const MAX_CHARACTERS = 24_000;

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
  exec: (input, context): Promise<readonly string[]> => describe(input, context),
  post: (state, _input, texts) => {
    state.expansions += 1;
    state.expanded = [...state.expanded, ...texts];
    state.wanted = [];
  },
});

async function describe(input: ExpandInput, context: StepContext<RefineDeps>): Promise<readonly string[]> {
  const { catalogFingerprint, names, known } = input;
  const catalog = await catalogOf(catalogFingerprint, context.deps, context);
  // Without a budget: fitting one to a large catalog takes seconds, and a description does not depend on it.
  const compressed = servicesOf(context.deps.adapter).compressor(catalog);
  const texts = names.map((name) => compressed.expand(name) ?? `There is no relation ${JSON.stringify(name)}.`);
  return [...new Set(texts.map(shortened))].filter((text) => !known.includes(text));
}

function shortened(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)}\n(and more)`;
}
