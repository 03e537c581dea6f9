import { defineStep, type GenerateSqlOutput, type InspectionFinding, type StepContext } from '@askema/core';
import { cutText, onOneLine } from '../../../prompts/cut-text.ts';
import { withDescriptions } from '../../../prompts/expand-schema.ts';
import {
  NOTHING_SPENT,
  type QuestionData,
  readQuestion,
  recordSpent,
  type Spent,
  sqlInput,
  sumSpent,
} from '../../../question/question-input.ts';
import type { QuestionState } from '../../../question/question-state.ts';
import { acceptOutput, UNCLEAR } from '../../../steps/accept-output.ts';
import { type ChosenReading, chosenReading } from '../../../steps/chosen-reading.ts';
import { describeRelations, wantedRelations } from '../../../steps/describe-relations.ts';
import type { InspectFlowState, InspectPlan } from '../state/inspect-state.ts';
import { GENERATE_TOOLS } from '../tasks/action-tools.ts';
import { actionsOfPart, generateActionsTask } from '../tasks/generate-actions.ts';
import type { InspectDeps } from '../tasks/inspect-tasks.ts';
import { type AskedActions, actionForm, askActions, type GivenActions, listsOf, readActions } from './ask-actions.ts';

export interface GenerateActionsStart {
  readonly asked: QuestionData;
  readonly plan: InspectPlan;
  /** Something of the schema was left out. */
  readonly isPartial: boolean;
  /** What was chosen when the question was asked back: it runs, and no model is asked. */
  readonly chosen: ChosenReading | undefined;
}

/** What the step found. */
export interface GeneratedActions extends AskedActions {
  /** With what the model asked to see. */
  readonly schemaText: string;
}

/**
 * Asks for the whole sequence of clause actions at once (Tool-SQL, section 2.1), and for other readings of the question.
 * `declined`: the question is unclear, or the database cannot answer it. `chosen`: somebody chose one of its readings
 * before, and that statement runs. Where the schema was left out in part, the model may ask to see relations first;
 * what it was shown stays in the state.
 */
export const generateActions = defineStep<InspectFlowState, InspectDeps>()({
  name: 'generate-actions',
  actions: ['default', 'chosen', 'declined'],
  prep: (state): GenerateActionsStart => ({
    asked: readQuestion(state),
    plan: state.flow.plan,
    isPartial: state.schemaIsPartial,
    chosen: chosenReading(state),
  }),
  exec: (start, context): Promise<GeneratedActions> => ask(start, context),
  post: (state, { chosen }, asked) => {
    state.schema = asked.schemaText;
    recordSpent(state, asked.spent);
    const { outcome, explanation, not_understood, other_readings } = asked;
    const answer: GenerateSqlOutput = {
      outcome: outcome === 'actions' ? 'sql' : outcome,
      sql: chosen?.sql ?? '',
      explanation,
      not_understood,
      other_readings,
    };
    if (acceptOutput(state, answer) === 'declined') return 'declined';
    if (chosen !== undefined) return 'chosen';
    // The statement is made from the actions.
    state.generatedSql = null;
    state.flow.sequence = readActions(asked);
    return 'default';
  },
});

/** How often a model may ask to see more of the schema. */
const MAX_EXPANSIONS = 2;

async function ask(
  { asked, plan, isPartial, chosen }: GenerateActionsStart,
  context: StepContext<InspectDeps>,
): Promise<GeneratedActions> {
  const { deps } = context;
  if (chosen !== undefined) return givenBefore(chosen, asked.schemaText, deps.solver.name);
  const input = {
    ...(await sqlInput(asked, deps, context)),
    allowWrite: false,
    form: actionForm('generate', plan, deps),
    maySplit: plan.limits.maxDepth > 0,
  };
  const { maxTurns } = plan.limits;
  const task = deps.own.tasks.generateActions;
  const before: Spent[] = [];
  let { schemaText } = input;
  const { solver } = deps.own.answererOf('generate');
  const ofPart = actionsOfPart(task);
  const mayAsk = isPartial && task.output === generateActionsTask.output && solver.supports(ofPart.id);
  for (let round = 0; mayAsk && round < MAX_EXPANSIONS; round += 1) {
    const { value, ...spent } = await solver.solve(ofPart, { ...input, schemaText, form: 'structured' }, context);
    const wanted = wantedRelations(value.expand);
    if (wanted.length === 0) return { ...value, ...listsOf(value), spent: sumSpent(...before, spent), schemaText };
    before.push(spent);
    const described = await describeRelations(wanted, asked.catalogFingerprint, deps, context);
    schemaText = withDescriptions(schemaText, described);
  }
  const request = { task, input: { ...input, schemaText }, tools: GENERATE_TOOLS, maxTurns };
  const given = await askActions('generate', request, context);
  return { ...given, spent: sumSpent(...before, given.spent), schemaText };
}

function givenBefore({ meaning, solvedBy }: ChosenReading, schemaText: string, solver: string): GeneratedActions {
  return {
    outcome: 'actions',
    actions: [],
    explanation: meaning,
    not_understood: [],
    ...listsOf({}),
    spent: { ...NOTHING_SPENT, solvedBy: solvedBy ?? solver },
    schemaText,
  };
}

/** Cells that a reason names for one value. */
const MAX_CELLS = 5;
const MAX_CELL_CHARACTERS = 80;

/**
 * Ends a question that the model declines. Where it does so because of values that are not stored, the nearest cells
 * stand in the reason: they come from the findings, not from what the model says of them.
 */
export function declineActions(
  state: Pick<QuestionState, 'verdict'>,
  given: Pick<GivenActions, 'outcome' | 'explanation' | 'not_understood'>,
  findings: readonly InspectionFinding[] = [],
): 'declined' {
  const said = given.explanation.trim();
  if (given.outcome === 'needs_clarification') {
    state.verdict = { type: 'needsClarification', ask: said || UNCLEAR };
    return 'declined';
  }
  const missing = findings.filter(({ code }) => code === 'value-not-found');
  const reason = [said || 'The database does not hold what the question asks for.', ...missing.map(cellsText)].join(
    ' ',
  );
  const words = given.not_understood.length > 0 ? given.not_understood : missing.flatMap(({ value }) => value ?? []);
  state.verdict = { type: 'unanswerable', reason, notUnderstood: words };
  return 'declined';
}

function cellsText({ value = '', column = '', cells = [] }: InspectionFinding): string {
  const where = column === '' ? '' : ` in ${onOneLine(column)}`;
  // Cells that are not like it at all are samples of the column.
  const near = cells.filter(({ score }) => score > 0);
  const shown = (near.length > 0 ? near : cells)
    .slice(0, MAX_CELLS)
    .map((cell) => `“${cutText(onOneLine(cell.value), MAX_CELL_CHARACTERS)}” (${onOneLine(cell.column)})`)
    .join(', ');
  const samples = shown === '' ? '' : `; there are cells such as ${shown}`;
  const nearest = near.length > 0 ? `the nearest cells are ${shown}` : `nothing near it is stored${samples}`;
  return `“${cutText(onOneLine(value), MAX_CELL_CHARACTERS)}” is not stored${where}; ${nearest}.`;
}
