import { defineStep, type StepContext } from '@askema/core';
import {
  askOrUnusable,
  type QuestionData,
  readQuestion,
  recordCost,
  sqlInput,
  type TaskAnswer,
} from '../../../question/question-input.ts';
import type { RefineRules } from '../state/refine-plan.ts';
import type { AnswerFormat, RefineState } from '../state/refine-state.ts';
import type { ExpectFormatOutput } from '../tasks/expect-format.ts';
import type { RefineDeps } from '../tasks/refine-tasks.ts';

export interface FormatInput {
  readonly asked: QuestionData;
  readonly rules: Pick<RefineRules, 'extraColumns'>;
  readonly isWanted: boolean;
}

/**
 * Fixes the expected answer format once, for all threads (equation 2). An aid: where the model gives nothing that can
 * be used, the threads go without, and the outcome says so.
 */
export const expectFormat = defineStep<RefineState, RefineDeps>()({
  name: 'expect-format',
  prep: (state): FormatInput => ({
    asked: readQuestion(state),
    rules: state.flow.plan.rules,
    isWanted: state.flow.plan.stages.format,
  }),
  exec: (input, context): Promise<TaskAnswer<ExpectFormatOutput> | null> => ask(input, context),
  post: (state, _input, asked) => {
    if (asked === null) return;
    recordCost(state, asked.spent);
    if (asked.type === 'unusable') {
      state.warnings.push(`No answer format could be fixed: ${asked.error.message}`);
      return;
    }
    state.flow.format = formatOf(asked.value);
  },
});

/** Columns of a format at most: more is nonsense, or a table that nobody reads. */
const MAX_COLUMNS = 200;

function formatOf({ columns, rows, record, notes, reading }: ExpectFormatOutput): AnswerFormat | null {
  if (columns.length === 0 || columns.length > MAX_COLUMNS) return null;
  const read = reading.trim();
  return {
    columns,
    rows: Number.isSafeInteger(rows) && rows > 0 ? rows : null,
    record,
    notes: [...(read === '' ? [] : [`Read as: ${read}`]), ...notes],
  };
}

async function ask(
  input: FormatInput,
  context: StepContext<RefineDeps>,
): Promise<TaskAnswer<ExpectFormatOutput> | null> {
  if (!input.isWanted) return null;
  const { asked, rules } = input;
  const { extraColumns } = rules;
  const { solverOf, tasks } = context.deps.own;
  const task = { ...(await sqlInput(asked, context.deps, context)), allowWrite: false, extraColumns };
  return askOrUnusable(() => solverOf('format', 0).solve(tasks.expectFormat, task, context));
}
