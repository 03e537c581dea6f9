import { defineStep, type StepContext } from '@askema/core';
import { type AskedInput, readAsked, recordCost, sqlInput } from '../../steps/sql-input.ts';
import type { ExpectFormatOutput } from '../../tasks/expect-format.ts';
import type { Text2SqlDeps } from '../../text2sql-deps.ts';
import type { Text2SqlState } from '../../text2sql-state.ts';
import type { RefineRules } from '../refine-options.ts';
import type { AnswerFormat } from '../refine-state.ts';
import { type Asked, askOrUnusable } from '../thread/thread-input.ts';

export interface FormatInput {
  readonly asked: AskedInput;
  readonly rules: Pick<RefineRules, 'extraColumns' | 'spellOut'>;
  readonly isWanted: boolean;
}

/**
 * Fixes the expected answer format once, for all threads (equation 2). An aid: where the model gives nothing that can be used, the threads go
 * without, and the outcome says so.
 */
export const expectFormat = defineStep<Text2SqlState, Text2SqlDeps>()({
  name: 'expect-format',
  prep: (state): FormatInput => ({
    asked: readAsked(state),
    rules: state.refine.plan.rules,
    isWanted: state.refine.plan.stages.format,
  }),
  exec: (input, context): Promise<Asked<ExpectFormatOutput> | null> => ask(input, context),
  post: (state, _input, asked) => {
    if (asked === null) return;
    recordCost(state, asked.spent);
    if (asked.type === 'unusable') {
      state.warnings.push(`No answer format could be fixed: ${asked.error.message}`);
      return;
    }
    state.refine.format = formatOf(asked.value);
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

async function ask(input: FormatInput, context: StepContext<Text2SqlDeps>): Promise<Asked<ExpectFormatOutput> | null> {
  if (!input.isWanted) return null;
  const { asked, rules } = input;
  const { extraColumns, spellOut } = rules;
  const { refine, tasks } = context.deps;
  const task = { ...(await sqlInput(asked, context.deps, context)), allowWrite: false, extraColumns, spellOut };
  return askOrUnusable(() => refine.solverOf('format', 0).solve(tasks.expectFormat, task, context));
}
