import { defineTask, FENCE_NOTE, fence, type Message, systemMessage, type Task, userMessage } from '@askema/core';
import * as z from 'zod';
import type { ReviewName, SampleProgress } from './requirement-sample.ts';
import { VERDICTS } from './requirement-sample.ts';

const RULES = [
  'A good pair of requirement and schema:',
  '- The requirement is about one scenario, and says who needs what for which work.',
  '- Everything that the schema stores follows from the requirement, and the schema stores everything that the requirement asks for, so that the work it speaks of can be done with it.',
  '- The requirement says what tells things apart and how many of one belong to one of the other, in words of the business: it never speaks of tables, columns, keys or types.',
  '- Every table is in third normal form, has a key, and each connection is a reference.',
  '- The requirement is between 80 and 300 words of running text.',
].join('\n');

interface WriteRequirementInput {
  /** The schema, a line for each table. */
  readonly schema: string;
}

const writeRequirementOutput = z.object({
  scenario: z.string().describe('Whose business this is and what the data is needed for, in one or two sentences.'),
  domain: z
    .array(z.string())
    .min(1)
    .max(2)
    .describe('The line of business, and the field within it: education, exams.'),
  requirement: z.string().trim().min(1).describe('The whole text.'),
});

export type WriteRequirementOutput = z.infer<typeof writeRequirementOutput>;

/** Writes the first text for a schema (SchemaAgent, section 3.1). */
export const writeRequirementTask: Task<WriteRequirementInput, WriteRequirementOutput> = defineTask({
  id: 'eval.write-requirement',
  version: 1,
  description: 'Writes the requirement that a schema is the answer to.',
  render: ({ schema }: WriteRequirementInput): readonly Message[] => [
    systemMessage(
      [
        'You write requirements for databases. You get the schema of a database that exists, and write what the people who ordered it would have said before it did, so that somebody who never saw the schema could design it again from your words.',
        RULES,
        FENCE_NOTE,
      ].join('\n\n'),
    ),
    userMessage(
      [
        'Think first of the scenario, then go through the schema table by table: each thing with its facts, what tells it apart, and what it belongs to. Call things what the schema calls them, as words.',
        fence('schema', schema),
      ].join('\n\n'),
    ),
  ],
  output: writeRequirementOutput,
});

/** What every review looks at. */
export interface ReviewSampleInput {
  readonly requirement: string;
  readonly schema: string;
  /** What code found in the schema. */
  readonly findings: readonly string[];
  /** What reviewers said before. */
  readonly opinions: SampleProgress['opinions'];
}

function sampleBlocks({ requirement, schema, findings, opinions }: ReviewSampleInput): readonly string[] {
  const said = opinions.map(
    ({ step, verdict, remarks }) => `${step}${verdict === '' ? '' : `, ${verdict}`}: ${remarks}`,
  );
  return [
    fence('requirement', requirement),
    fence('schema', schema),
    ...(findings.length === 0 ? [] : [fence('found by code', findings.join('\n'))]),
    ...(said.length === 0 ? [] : [fence('opinions so far, oldest first', said.join('\n'))]),
  ];
}

const table = z.object({
  name: z.string(),
  attributes: z.array(z.string()).min(1).describe('Their names alone, without types.'),
  primaryKey: z.array(z.string()),
  foreignKeys: z.array(z.object({ attribute: z.string(), table: z.string(), targetAttribute: z.string() })),
});

const refineSampleOutput = z.object({
  remarks: z.string().describe('What was wrong and what you changed, or that nothing was.'),
  requirement: z.string().trim().min(1).describe('The whole text, changed or as it was.'),
  tables: z.array(table).min(1).nullable().describe('All tables, where the schema has to change; else null.'),
});

export type RefineSampleOutput = z.infer<typeof refineSampleOutput>;

/** Refines text and schema (SchemaAgent, section 3.2). */
export const refineSampleTask: Task<ReviewSampleInput, RefineSampleOutput> = defineTask({
  id: 'eval.refine-sample',
  version: 1,
  description: 'Refines a requirement and the schema that answers it.',
  render: (input: ReviewSampleInput): readonly Message[] => [
    systemMessage(
      [
        'You are an annotator of a data set of requirements and schemas. You make a pair good: first the text, until it is reasonable by itself; then you design from the text alone (things and connections with their facts, dependencies, keys), hold the schema against that, and mend what does not fit.',
        RULES,
        FENCE_NOTE,
      ].join('\n\n'),
    ),
    userMessage(
      [
        'Refine this pair. Change the schema only where the requirement, the third normal form, a finding or an opinion asks for it.',
        ...sampleBlocks(input),
      ].join('\n\n'),
    ),
  ],
  output: refineSampleOutput,
});

const reviewSampleOutput = z.object({
  remarks: z.string().describe('What speaks for and against the pair, with names; what has to change.'),
  verdict: z.enum(VERDICTS).describe('`accept`, or `revise` where something has to change. After the remarks.'),
});

export type ReviewSampleOutput = z.infer<typeof reviewSampleOutput>;

const REVIEWERS: Readonly<Record<Exclude<ReviewName, 'refine'>, string>> = {
  cross:
    'You are another annotator than the one who made this pair. Check the schema against the requirement: what is missing, what is too much, which key or reference is wrong. Do not ask for a matter of taste.',
  annotator:
    'You are the annotator of the last review. Say whether this pair may stay in the data set as it is, and read the opinions of the reviews before.',
  expert:
    'You have designed databases for many years, and decide last whether this pair stays in the data set as it is. Read the opinions of the reviews before, and judge by yourself.',
};

/** Reviews a pair (SchemaAgent, sections 3.3 and 3.4). */
export const reviewSampleTask: Task<
  ReviewSampleInput & { readonly review: Exclude<ReviewName, 'refine'> },
  ReviewSampleOutput
> = defineTask({
  id: 'eval.review-sample',
  version: 1,
  description: 'Reviews a requirement and the schema that answers it.',
  render: ({
    review,
    ...input
  }: ReviewSampleInput & { readonly review: Exclude<ReviewName, 'refine'> }): readonly Message[] => [
    systemMessage(['You review a data set of requirements and schemas.', RULES, FENCE_NOTE].join('\n\n')),
    userMessage([REVIEWERS[review], ...sampleBlocks(input)].join('\n\n')),
  ],
  output: reviewSampleOutput,
});
