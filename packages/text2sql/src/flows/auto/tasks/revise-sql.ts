import {
  defineTask,
  fence,
  type GenerateSqlInput,
  type Message,
  type PlainValue,
  plainOutput,
  type QueryResult,
  type Task,
} from '@askema/core';
import { taskMessages } from '../../../prompts/prompt-sections.ts';
import { resultView } from '../../../prompts/result-view.ts';
import type { Doubt } from '../doubt.ts';

const REVISE_SQL_TASK_ID = 'text2sql.revise-sql';

export interface ReviseSqlInput extends GenerateSqlInput {
  readonly sql: string;
  readonly result: Pick<QueryResult, 'columns' | 'rows' | 'truncated'>;
  /** What speaks against the statement; not empty. */
  readonly doubts: readonly Doubt[];
}

const reviseSqlOutput = plainOutput({
  assessment: { description: 'For each doubt, in a sentence: whether it shows a mistake, and why.' },
  is_right: {
    oneOf: ['yes', 'no'],
    description: 'yes: the statement answers the question exactly as it stands. no: the one below does.',
  },
  sql: { description: 'The corrected statement, whole, without a trailing semicolon; empty when is_right is yes.' },
  explanation: { description: 'One or two sentences: how the question is read by the statement that stands.' },
});

export type ReviseSqlOutput = PlainValue<typeof reviseSqlOutput.fields>;

const JOB =
  'You check an answer. Somebody else wrote the statement below for the question below. It runs, and something speaks against it. Decide for each doubt whether it shows a mistake: doubts are found by rules, and some are beside the point. Keep the statement where it answers the question; correct it where it does not. Change what is wrong, nothing that is a matter of taste.';

/** A glance is enough. */
const VIEW = { maxRows: 20, maxCharacters: 2_000 };

/** The prompt of a revision: the statement, what it gives, and what speaks against it. */
export const reviseSqlTask: Task<ReviseSqlInput, ReviseSqlOutput> = defineTask({
  id: REVISE_SQL_TASK_ID,
  version: 1,
  description: 'Keeps or corrects a statement that runs and is doubted.',
  render: (input: ReviseSqlInput): readonly Message[] =>
    taskMessages(input, {
      job: JOB,
      sections: [
        `The statement:\n${fence('statement', input.sql)}`,
        `Its result:\n${fence('result', resultView(input.result, VIEW))}`,
        `What speaks against it:\n${fence('doubts', input.doubts.map(({ text }) => `- ${text}`).join('\n'))}`,
      ],
    }),
  output: reviseSqlOutput,
});
