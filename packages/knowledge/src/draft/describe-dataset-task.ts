import { defineTask, FENCE_NOTE, fence, type Message, systemMessage, type Task, userMessage } from '@askema/core';
import * as z from 'zod';

export interface DescribeDatasetInput {
  /** What is known, as lines. */
  readonly dataset: string;
  /** Names of its fields, as they are spelled. */
  readonly fields: readonly string[];
}

const output = z.object({
  description: z.string().describe('What one row stands for, in one sentence; empty where it cannot be told.'),
  synonyms: z.array(z.string()).describe('Other words that people use for the rows; none that are the name itself.'),
  fields: z
    .array(
      z.object({
        name: z.string().describe('As in the list of fields.'),
        label: z.string().describe('The name in plain words, as a heading of a column.'),
        description: z.string().describe('What the value is, in one sentence; empty where it cannot be told.'),
        synonyms: z.array(z.string()).describe('Other words that people use for it.'),
      }),
    )
    .describe('Only those about which there is something to say.'),
});

export type DescribeDatasetOutput = z.infer<typeof output>;

const RULES = [
  'You describe a table of a database for people who ask questions about it and do not know its columns.',
  FENCE_NOTE,
  'Say only what names, types, keys, comments and values show. A guess that nobody can check harms: leave the text empty instead.',
  'Write plain, short sentences. Do not repeat the name as a description. Do not define metrics or rules, and do not invent values.',
  'Synonyms are words of the business, singular, at most three for each; leave them out where the name says it all.',
].join('\n');

/** Descriptions, labels and synonyms of one dataset; a person accepts them. */
export const describeDatasetTask: Task<DescribeDatasetInput, DescribeDatasetOutput> = defineTask({
  id: 'knowledge.describe-dataset',
  version: 1,
  description: 'Describes a table and its columns in plain words.',
  render: ({ dataset, fields }: DescribeDatasetInput): readonly Message[] => [
    systemMessage(RULES),
    userMessage(`${fence('table', dataset)}\n\nFields:\n${fence('fields', fields.join('\n'))}`),
  ],
  output,
});
