import { defineTask, FENCE_NOTE, fence, type Message, systemMessage, type Task, userMessage } from '@askema/core';
import * as z from 'zod';

export interface CorrectionInput {
  readonly question: string;
  /** Empty where there was no answer. */
  readonly sql: string;
  /** Metrics, rules and tables that the answer stood on, a line each; may be empty. */
  readonly stoodOn: string;
  /** What is defined that is near; may be empty. */
  readonly definitions: string;
  /** Fields that may be used, `dataset.field type`, a line each, and which datasets reach which. */
  readonly fields: string;
  /** What the person says about the answer. */
  readonly correction: string;
  /** The reply before, and why it cannot be used. */
  readonly failed?: { readonly reply: string; readonly problem: string } | undefined;
}

const output = z.object({
  kind: z
    .enum(['metric', 'rule', 'nothing'])
    .describe(
      '`metric`: how a number is computed; `rule`: everything else about the answer, and where you are not sure; `nothing`: it says nothing about the answer.',
    ),
  name: z
    .string()
    .describe(
      'Of the metric: lower case, words joined by _, made of words of the question and the correction; the name of a defined metric to change that one. Empty otherwise.',
    ),
  expression: z
    .string()
    .describe('Of the metric: aggregates over dataset.field, such as SUM(orders.amount). Empty otherwise.'),
  filter: z
    .string()
    .describe('Rows that count, as a condition over dataset.field; empty where all do. Empty otherwise.'),
  time: z
    .string()
    .describe(
      'The dataset.field by which the metric is put into days and years; reached by every aggregate; empty for the times of their datasets, as listed. Empty otherwise.',
    ),
  synonyms: z
    .array(z.string())
    .describe('Words of the question or the correction that name the metric as well; usually none.'),
  about: z
    .array(z.string())
    .describe(
      'Of a rule: the word or two of the question or the correction without which a question has nothing to do with it, such as "active" or "net revenue"; several where each is enough. Empty otherwise.',
    ),
});

export type CorrectionOutput = z.infer<typeof output>;

const RULES = [
  'A person says what is wrong with an answer of a database. You turn that into a definition that others can accept.',
  FENCE_NOTE,
  [
    'There are three kinds.',
    '- metric: the correction says how a number is computed: which rows count, what is added or taken off, another aggregate, another time. The definition is for all questions about that number: leave out the periods, groups and limits of this question. Where none is defined, define the number that the SQL computes, corrected.',
    '- rule: what no expression over the fields says, such as a value or a thing that no field holds; what a word means that is no number; how a result is shown; what holds for this question only. The words of the person are kept as they are.',
    '- nothing: thanks, a question, or an order to do something: nothing about what the answer should be.',
  ].join('\n'),
  'Define only what the correction says. Values come only from the question, the correction, the definitions and what is listed with the fields.',
  'Expressions are standard SQL over dataset.field as they are listed: arithmetic, CASE, COALESCE, LIKE, IN, IS NULL; SUM, COUNT, AVG, MIN, MAX, MEDIAN, also with DISTINCT; CURRENT_DATE, DATEADD(DAY, -7, CURRENT_DATE), DATEDIFF(DAY, first, last), EXTRACT(YEAR FROM day). No sub-queries, no window functions, no tables. Joins are made for you: an aggregate takes fields of one dataset and of those that it reaches; several aggregates may be of several datasets.',
  'A metric that is changed is written whole, with what still holds of its expression, filter and time.',
].join('\n');

/** What a correction of an answer defines; a person accepts it. */
export const correctionTask: Task<CorrectionInput, CorrectionOutput> = defineTask({
  id: 'knowledge.correction',
  version: 2,
  description: 'Turns what a person says about a wrong answer into a definition.',
  render: (input: CorrectionInput): readonly Message[] => [systemMessage(RULES), userMessage(sectionsOf(input))],
  output,
});

function sectionsOf({ question, sql, stoodOn, definitions, fields, correction, failed }: CorrectionInput): string {
  return [
    `Fields:\n${fence('fields', fields)}`,
    ...(definitions === '' ? [] : [`What is defined:\n${fence('definitions', definitions)}`]),
    `The question:\n${fence('question', question)}`,
    sql === '' ? 'It was not answered.' : `The SQL that answered it:\n${fence('sql', sql)}`,
    ...(stoodOn === '' ? [] : [`It stood on:\n${fence('definitions', stoodOn)}`]),
    `The correction:\n${fence('correction', correction)}`,
    ...(failed === undefined
      ? []
      : [
          `Your last reply cannot be used:\n${fence('reply', failed.reply)}\nWhy:\n${fence('problem', failed.problem)}\nMend it, or make it a rule.`,
        ]),
  ].join('\n\n');
}
