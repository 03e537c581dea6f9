import { defineTask, FENCE_NOTE, fence, type Message, systemMessage, type Task, userMessage } from '@askema/core';
import * as z from 'zod';

const JUDGE_SCHEMA_TASK_ID = 'eval.judge-schema';

interface JudgeSchemaInput {
  readonly requirement: string;
  /** The schema as DDL. */
  readonly ddl: string;
}

const dimension = (what: string) =>
  z.object({
    reasons: z.string().describe(`What speaks for and against it, with names of tables and columns: ${what}`),
    score: z.number().int().min(1).max(10).describe('By the anchors, after the reasons.'),
  });

const judgeSchemaOutput = z.object({
  functionalCoverage: dimension('which parts of the requirement the schema can store, and which it cannot.'),
  normalization: dimension('facts that are stored twice, dependencies on a part of a key or on no key.'),
  integrity: dimension('whether keys identify a row, whether every reference is declared and points where it should.'),
});

export type JudgeSchemaOutput = z.infer<typeof judgeSchemaOutput>;

const SYSTEM = [
  'You review relational schemas. You get the requirement of a system and a schema that somebody designed for it, and you judge how good the schema is for this requirement. More than one schema can be right: judge what this one can do, not whether it is the one that you would have made.',
  FENCE_NOTE,
].join('\n\n');

const ANCHORS = [
  'Judge three dimensions, each from 1 to 10. Write the reasons first, then the score that follows from them.',
  [
    'Functional coverage: can the schema store everything that the requirement asks for, and can it grow with it?',
    '- 1: most of what is asked for has no place.',
    '- 4: the main things are there, whole functions are not.',
    '- 7: every function has its place; single facts or connections are missing.',
    '- 10: everything that the requirement says or implies can be stored, and nothing has to be changed for the extensions it names.',
  ].join('\n'),
  [
    'Redundancy and normalization: is each fact stored once, in third normal form?',
    '- 1: one table for everything, or the same facts in many places.',
    '- 4: several tables hold facts of other things, or lists in one column.',
    '- 7: a single dependency on a part of a key or on no key.',
    '- 10: every table is in third normal form, and nothing can be derived from anything else without a reason.',
  ].join('\n'),
  [
    'Integrity: do keys and references hold the data together?',
    '- 1: no usable keys.',
    '- 4: keys are there, but many references are not declared or point to the wrong table.',
    '- 7: a single key or reference is missing or wrong.',
    '- 10: every table has a key that identifies its rows, and every connection is a declared reference with fitting types.',
  ].join('\n'),
  'Length is no merit: tables and columns that the requirement gives no reason for are not coverage. Only not null and unique on primary keys are expected of the columns.',
].join('\n\n');

/** The prompt of the judge (SchemaAgent, section 6.5), with anchors for the scale. */
export const judgeSchemaTask: Task<JudgeSchemaInput, JudgeSchemaOutput> = defineTask({
  id: JUDGE_SCHEMA_TASK_ID,
  version: 1,
  description: 'Judges a schema by coverage, normalization and integrity.',
  render: ({ requirement, ddl }: JudgeSchemaInput): readonly Message[] => [
    systemMessage(SYSTEM),
    userMessage([ANCHORS, fence('requirement', requirement), fence('schema', ddl)].join('\n\n')),
  ],
  output: judgeSchemaOutput,
});
