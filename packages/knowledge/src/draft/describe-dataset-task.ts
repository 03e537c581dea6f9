import { defineTask, FENCE_NOTE, fence, type Message, systemMessage, type Task, userMessage } from '@askema/core';
import * as z from 'zod';

export interface DescribeDatasetInput {
  /** Names of all tables, the same for each. */
  readonly tables: readonly string[];
  /** What is known of one of them, as lines. */
  readonly dataset: string;
}

const output = z.object({
  description: z.string().describe('What one row stands for, in one sentence; empty where it cannot be told.'),
  synonyms: z.array(z.string()).describe('Other words that people use for the rows; usually none.'),
  fields: z
    .array(
      z.object({
        name: z.string().describe('The name of the column, as it stands at the beginning of its line, without quotes.'),
        label: z
          .string()
          .describe('The name in plain words, as a heading of a column; empty where it would be the name itself.'),
        description: z.string().describe('What the value is, in one sentence; empty where it cannot be told.'),
        synonyms: z.array(z.string()).describe('Other words that people use for it; usually none.'),
      }),
    )
    .describe('Columns whose name, type and values do not say it all; the others are left out.'),
});

export type DescribeDatasetOutput = z.infer<typeof output>;

const RULES = [
  'You describe a table of a database for people who ask questions about it and do not know its columns.',
  FENCE_NOTE,
  'Say only what names, types, keys, comments, values and the other tables show. Nobody can check a guess: leave the text empty instead. Do not say what is missing, such as a unit that nothing names.',
  'An abbreviation may be written out where every reader in the trade knows it. Listed values are all that the column holds; do not list them again.',
  'Write plain, short sentences. Do not repeat a name as a description. Do not define metrics or rules.',
  'Synonyms are words of the business, singular, at most three for each, and different from the name and the label.',
].join('\n');

/** Descriptions, labels and synonyms of one dataset; a person accepts them. */
export const describeDatasetTask: Task<DescribeDatasetInput, DescribeDatasetOutput> = defineTask({
  id: 'knowledge.describe-dataset',
  version: 1,
  description: 'Describes a table and its columns in plain words.',
  render: ({ tables, dataset }: DescribeDatasetInput): readonly Message[] => [
    systemMessage(RULES),
    userMessage(
      `The tables of the database:\n${fence('tables', tables.join(', '))}\n\nDescribe this one:\n${fence('table', dataset)}`,
    ),
  ],
  output,
});
