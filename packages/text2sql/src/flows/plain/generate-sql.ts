import {
  defineStep,
  type GenerateSqlInput,
  type GenerateSqlOutput,
  generateSqlOutput,
  type Solved,
  type StepContext,
} from '@askema/core';
import { withDescriptions } from '../../prompts/expand-schema.ts';
import type { FlowDeps } from '../../question/flow-spec.ts';
import { KNOWLEDGE } from '../../question/known.ts';
import {
  NOTHING_SPENT,
  type QuestionData,
  readQuestion,
  recordSpent,
  type Spent,
  sqlInput,
  sumSpent,
} from '../../question/question-input.ts';
import type { QuestionState } from '../../question/question-state.ts';
import { acceptOutput } from '../../steps/accept-output.ts';
import { type ChosenReading, chosenReading } from '../../steps/chosen-reading.ts';
import { describeRelations, wantedRelations } from '../../steps/describe-relations.ts';
import { readsNoPrompt } from '../../steps/use-knowledge.ts';
import { GENERATE_OF_PART_TASK_ID, generateOfPart } from './tasks/generate-of-part.ts';
import type { generateSqlTask } from './tasks/generate-sql.ts';

type Deps = FlowDeps<{ readonly tasks: { readonly generateSql: typeof generateSqlTask } }>;

/** How often a model may ask to see more of the schema. */
const MAX_EXPANSIONS = 2;

/**
 * GenerateSQL: asks the solver for a statement and resets the attempts to 0. `declined` ends the flow: the solver says
 * that the question is unclear or that the database cannot answer it. Where the schema was left out in part, the solver
 * may ask to see relations first; what it was shown stays in the state.
 */
export const generateSql = defineStep<QuestionState, Deps>()({
  name: 'generate-sql',
  actions: ['default', 'declined'],
  prep: (state): GenerateSqlStart => ({
    ...readQuestion(state),
    chosen: chosenReading(state),
    declined: state.known?.declined,
    isPartial: state.schemaIsPartial,
  }),
  exec: (start, context): Promise<GeneratedSql> => solve(start, context),
  post: (state, _start, { solved, schemaText }) => {
    recordSpent(state, solved);
    state.schema = schemaText;
    state.debugAttempts = 0;
    return acceptOutput(state, solved.value, solved);
  },
});

export interface GenerateSqlStart extends QuestionData {
  /** What was chosen when the question was asked back: it runs, and no solver is asked. */
  readonly chosen: ChosenReading | undefined;
  /** Why a solver that reads no prompt may not answer. */
  readonly declined: string | undefined;
  /** Something of the schema was left out. */
  readonly isPartial: boolean;
}

/** What the step found. */
export interface GeneratedSql {
  readonly solved: Solved<GenerateSqlOutput>;
  /** With what the solver asked to see. */
  readonly schemaText: string;
}

async function solve(
  { chosen, declined, isPartial, ...asked }: GenerateSqlStart,
  context: StepContext<Deps>,
): Promise<GeneratedSql> {
  const { deps } = context;
  const { schemaText } = asked;
  if (chosen !== undefined) {
    const { sql, meaning: explanation } = chosen;
    const value: GenerateSqlOutput = { outcome: 'sql', sql, explanation, not_understood: [] };
    return { solved: { ...NOTHING_SPENT, value, solvedBy: chosen.solvedBy ?? deps.solver.name }, schemaText };
  }
  const { solver, own } = deps;
  if (declined !== undefined && readsNoPrompt(solver)) {
    const value: GenerateSqlOutput = { outcome: 'unanswerable', sql: '', explanation: declined, not_understood: [] };
    return { solved: { ...NOTHING_SPENT, value, solvedBy: KNOWLEDGE }, schemaText };
  }
  const input = await sqlInput(asked, deps, context);
  // A task with an output of its own has no place for what is asked for.
  const mayAsk = isPartial && own.tasks.generateSql.output === generateSqlOutput;
  if (mayAsk && solver.supports(GENERATE_OF_PART_TASK_ID)) return solveOfPart(input, asked, context);
  return { solved: await solver.solve(own.tasks.generateSql, input, context), schemaText };
}

async function solveOfPart(
  input: GenerateSqlInput,
  { catalogFingerprint }: Pick<QuestionData, 'catalogFingerprint'>,
  context: StepContext<Deps>,
): Promise<GeneratedSql> {
  const { solver, own } = context.deps;
  const task = generateOfPart(own.tasks.generateSql);
  const before: Spent[] = [];
  let { schemaText } = input;
  for (let round = 0; round < MAX_EXPANSIONS; round += 1) {
    const solved = await solver.solve(task, { ...input, schemaText }, context);
    const wanted = wantedRelations(solved.value.expand);
    if (wanted.length === 0) return { solved: { ...solved, ...sumSpent(...before, solved) }, schemaText };
    before.push(solved);
    const described = await describeRelations(wanted, catalogFingerprint, context.deps, context);
    schemaText = withDescriptions(schemaText, described);
  }
  const solved = await solver.solve(own.tasks.generateSql, { ...input, schemaText }, context);
  return { solved: { ...solved, ...sumSpent(...before, solved) }, schemaText };
}
