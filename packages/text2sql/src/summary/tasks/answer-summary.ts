import {
  defineTask,
  FENCE_NOTE,
  fence,
  type Message,
  type PlainValue,
  plainOutput,
  systemMessage,
  type Task,
  userMessage,
} from '@askema/core';
import { onOneLine } from '../../prompts/cut-text.ts';
import type { PartTable } from '../part-table.ts';

export const ANSWER_SUMMARY_TASK_ID = 'answer.summary';

export interface AnswerSummaryInput {
  /** What was said. */
  readonly question: string;
  readonly parts: readonly Pick<PartTable, 'question' | 'table'>[];
  /** What was written before, and why it was not taken. */
  readonly refused?: { readonly text: string; readonly reasons: readonly string[] } | undefined;
}

const answerSummaryOutput = plainOutput({ text: { description: 'Two to four plain sentences with marks.' } });

const JOB = [
  'Somebody asked a question, and a database gave the tables below. Tell in two to four plain sentences what they say about the question, in its language. Give no reason that no table shows.',
  [
    'You write no value of a table: where one belongs you write a mark, and the value is put there. PART, ROW and COLUMN are numbers from 1, as the tables have them; A and B stand for PART:ROW:COLUMN.',
    '[[PART:ROW:COLUMN]]: a cell, whether a number or a name. [[2:1:3]] is the third column of the first row of part 2.',
    '[[rows PART]]: how many rows the part has.',
    '[[A - B]]: A minus B, A being what the sentence is about. [[1:2:2 - 1:1:2]]',
    '[[A / B]]: A divided by B.',
    '[[A % B]]: the change from B to A in percent; its sign % comes along.',
  ].join('\n- '),
  'Numbers stand in marks only, also those that are words ("two", "half", "doubled"); one that a question has may stand as it does there. Beside a word for a direction ("fell by [[A % B]]") a difference or change loses its minus, and the word has to fit. Quotation marks only around what a table or a question has. No links, no markup.',
  'Where a table shows its first rows only, say nothing about all rows, the last ones, or the most and the least.',
].join('\n\n');

/** Tells results in prose with marks in place of their values. It reads the first rows of each. */
export const answerSummaryTask: Task<AnswerSummaryInput, PlainValue<typeof answerSummaryOutput.fields>> = defineTask({
  id: ANSWER_SUMMARY_TASK_ID,
  version: 1,
  description: 'Tells results in a few sentences whose values code puts in.',
  render: ({ question, parts, refused }: AnswerSummaryInput): readonly Message[] => {
    const tables = parts.map((part, position) =>
      fence(`part ${position + 1}`, `Question: ${onOneLine(part.question).trim()}\n${part.table}`),
    );
    const again =
      refused === undefined
        ? []
        : [
            `This was written before, and it cannot be taken. Write it anew.\n${fence('refused', refused.text)}\nWhy:\n${fence('reasons', refused.reasons.map((reason) => `- ${onOneLine(reason)}`).join('\n'))}`,
          ];
    return [
      systemMessage(`${JOB}\n\n${FENCE_NOTE}`),
      userMessage([...tables, `The question:\n${fence('question', question)}`, ...again].join('\n\n')),
    ];
  },
  output: answerSummaryOutput,
});
