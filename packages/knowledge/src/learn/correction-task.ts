import { defineTask, FENCE_NOTE, fence, type Message, systemMessage, type Task, userMessage } from '@askema/core';
import * as z from 'zod';

export interface CorrectionInput {
  readonly question: string;
  readonly sql: string;
  /** Metrics, rules and tables that the answer stood on, a line each; may be empty. */
  readonly stoodOn: string;
  /** What is defined that is near; may be empty. */
  readonly definitions: string;
  /** Fields that may be used, `dataset.field type`, a line each. */
  readonly fields: string;
  /** What the person says about the answer. */
  readonly correction: string;
  /** The reply before, and why it cannot be used. */
  readonly failed?: { readonly reply: string; readonly problem: string } | undefined;
}

const output = z.object({
  kind: z
    .enum(['metric', 'rule'])
    .describe(
      '`metric` where one number is defined or changed; `rule` for everything else, and where you are not sure.',
    ),
  name: z
    .string()
    .describe(
      'Of the metric: lower case, words joined by _, made of words of the question and the correction; the name of a defined metric to change that one. Empty for a rule.',
    ),
  expression: z
    .string()
    .describe('Of the metric: aggregates over dataset.field, such as SUM(orders.amount). Empty for a rule.'),
  filter: z
    .string()
    .describe('Rows that count, as a condition over dataset.field; empty where all do. Empty for a rule.'),
  synonyms: z
    .array(z.string())
    .describe('Words of the question or the correction that name the metric as well; usually none.'),
});

export type CorrectionOutput = z.infer<typeof output>;

const RULES = [
  'A person says what is wrong with an answer of a database. You turn that into a definition that others can accept.',
  FENCE_NOTE,
  'Define only what the correction says. Take names of fields as they are listed, and values only from the question, the correction or the definitions. Where the correction names a value or a thing that no field holds, it is a rule.',
  'The correction changes a number in the same way each time that it is asked for: that is a metric. It is about one question, about words, about how to show a result, or about what to do: that is a rule.',
  'Expressions are standard SQL over fields: arithmetic, CASE, COALESCE, SUM, COUNT, AVG, MIN, MAX, also with DISTINCT. No sub-queries, no window functions, no tables.',
  'A metric that is changed is written whole, with its old filter where that still holds.',
].join('\n');

/** What a correction of an answer defines; a person accepts it. */
export const correctionTask: Task<CorrectionInput, CorrectionOutput> = defineTask({
  id: 'knowledge.correction',
  version: 1,
  description: 'Turns what a person says about a wrong answer into a definition.',
  render: (input: CorrectionInput): readonly Message[] => [systemMessage(RULES), userMessage(sectionsOf(input))],
  output,
});

function sectionsOf({ question, sql, stoodOn, definitions, fields, correction, failed }: CorrectionInput): string {
  return [
    `Fields:\n${fence('fields', fields)}`,
    ...(definitions === '' ? [] : [`What is defined:\n${fence('definitions', definitions)}`]),
    `The question:\n${fence('question', question)}`,
    `The SQL that answered it:\n${fence('sql', sql)}`,
    ...(stoodOn === '' ? [] : [`It stood on:\n${fence('definitions', stoodOn)}`]),
    `The correction:\n${fence('correction', correction)}`,
    ...(failed === undefined
      ? []
      : [
          `Your last reply cannot be used:\n${fence('reply', failed.reply)}\nWhy:\n${fence('problem', failed.problem)}\nMend it, or make it a rule.`,
        ]),
  ].join('\n\n');
}
