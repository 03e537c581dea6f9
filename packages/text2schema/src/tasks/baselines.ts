import { defineTask, FENCE_NOTE, fence, type Message, systemMessage, type Task, userMessage } from '@askema/core';
import * as z from 'zod';
import { FURTHER_CASES, type SchemaCase, WORKED_CASE } from '../demonstration/index.ts';
import type { NamedSchema } from '../model/index.ts';
import {
  ATTRIBUTE_CONVENTIONS,
  DEPENDENCY_CONVENTIONS,
  ENTITY_CONVENTIONS,
  NAME_CONVENTIONS,
  RELATIONSHIP_CONVENTIONS,
  TYPE_CONVENTIONS,
} from '../profiles/conventions.ts';
import { listOf, nameField, nameList, textField, typeField } from './output-fields.ts';

/** How a model writes a schema. */
const namedSchemaForm = z.object({
  relations: listOf(
    z.object({
      name: nameField(),
      attributes: listOf(z.object({ name: nameField(), type: typeField() })),
      primaryKey: nameList(),
      foreignKeys: listOf(z.object({ attributes: nameList(), target: nameField(), targetAttributes: nameList() })),
    }),
  ),
});

/** What a baseline answers: its schema, and why where it was asked to think first. */
export interface BaselineOutput {
  readonly thinking: string;
  readonly schema: NamedSchema;
}

/** Without room for thought: one-shot and few-shot answer at once. */
export const directOutput = namedSchemaForm.transform((schema): BaselineOutput => ({ thinking: '', schema }));

/** With thought before the schema. */
const thoughtfulOutput = z.object({ thinking: textField().describe('The six steps.'), schema: namedSchemaForm });

/**
 * What the baselines are told. Those of the paper (section 5.4) have the job, the types and worked cases; `guided` and
 * the single agent also have the conventions of the roles, word for word, so that a comparison with them measures the
 * roles and not what one side knows.
 */

const MAPPING_CONVENTIONS: readonly string[] = [
  'Each entity set becomes a relation with the identifying fact as primary key. A relationship set whose participants are all `many` becomes a relation: the keys of its participants as foreign keys, its facts, and as primary key the foreign keys together with the fact that tells repetitions apart. One with a `one` participant becomes a foreign key on the `many` side, with its facts. A weak entity set becomes a relation whose primary key is the key of its owner with the fact that tells its rows apart.',
  'A foreign key attribute has the name of the key it refers to and its type; with the role in place of the name of the relation where there is one (Seller ID), or with the name of the relation before it where that is needed to tell it apart.',
  'Every relation is in third normal form, and its foreign keys refer to primary keys, whole ones.',
];

export interface BaselineTextOptions {
  /** Worked cases show their six steps. */
  readonly withSteps: boolean;
  /** With the conventions of the roles. */
  readonly conventions: boolean;
}

/** The system prompt of a baseline, around its job and its way of work. */
export function baselineSystemText(
  job: string,
  cases: readonly SchemaCase[],
  { withSteps, conventions }: BaselineTextOptions,
): string {
  return [
    `${job}\n\nThe relations of the schema, with typed attributes, primary keys and foreign keys, hold every fact that the requirement wants kept, once, and nothing else, in third normal form.`,
    ...(conventions
      ? [
          section('Entities', [...ENTITY_CONVENTIONS, ...ATTRIBUTE_CONVENTIONS]),
          section('Relationships', RELATIONSHIP_CONVENTIONS),
          section('Names', NAME_CONVENTIONS),
          section('Dependencies', DEPENDENCY_CONVENTIONS),
          section('Relations', MAPPING_CONVENTIONS),
        ]
      : []),
    section('Data types', TYPE_CONVENTIONS),
    ...cases.map((example, at) => caseText(example, cases.length > 1 ? ` ${at + 1}` : '', withSteps)),
    `# Data\n${FENCE_NOTE}`,
  ].join('\n\n');
}

function section(title: string, points: readonly string[]): string {
  return [`# ${title}`, ...points.map((point) => `- ${point}`)].join('\n');
}

function caseText({ requirement, steps, schema }: SchemaCase, number: string, withSteps: boolean): string {
  const answer = withSteps ? { thinking: (steps ?? []).join('\n'), schema } : schema;
  return `# Example${number}\nA requirement:\n${requirement}\n\nYour answer:\n${JSON.stringify(answer)}`;
}

const ONE_SHOT_TASK_ID = 'text2schema.one-shot';
const CHAIN_OF_THOUGHT_TASK_ID = 'text2schema.chain-of-thought';
const FEW_SHOT_TASK_ID = 'text2schema.few-shot';
const GUIDED_TASK_ID = 'text2schema.guided';

export interface BaselineInput {
  readonly requirement: string;
}

const JOB = 'You are an expert in database design. You turn the requirement of a user into a relational schema.';

/** SchemaAgent, section 5.4. */
const SIX_STEPS = [
  'Think before you answer, in six steps, in `thinking`:',
  '1. Identify the core entities and their attributes in the requirement.',
  '2. Define the relationships between entities and their cardinalities.',
  '3. Map the conceptual model to relations and keys.',
  '4. Define the domains of attributes and the integrity constraints.',
  '5. Normalise the schema, so that nothing is stored twice.',
  '6. Consider other elements that are needed.',
  'Then give the schema.',
].join('\n');

const PLAIN = { withSteps: false, conventions: false } as const;
const STEPS = { withSteps: true, conventions: false } as const;

/** One worked case (SchemaAgent, section 5.4). */
export const oneShotTask: Task<BaselineInput, BaselineOutput> = defineTask({
  id: ONE_SHOT_TASK_ID,
  version: 1,
  description: 'Designs a schema at once, with one worked case.',
  render: (input: BaselineInput): readonly Message[] =>
    baselineMessages(baselineSystemText(JOB, [WORKED_CASE], PLAIN), input),
  output: directOutput,
});

/** The six steps of the paper, with the worked case (section 5.4). */
export const chainOfThoughtTask: Task<BaselineInput, BaselineOutput> = defineTask({
  id: CHAIN_OF_THOUGHT_TASK_ID,
  version: 1,
  description: 'Designs a schema in six steps of thought, with one worked case.',
  render: (input: BaselineInput): readonly Message[] =>
    baselineMessages(baselineSystemText(`${JOB} ${SIX_STEPS}`, [WORKED_CASE], STEPS), input),
  output: thoughtfulOutput,
});

/** The worked case, and three more with two, four and six relations (section 5.4). */
export const fewShotTask: Task<BaselineInput, BaselineOutput> = defineTask({
  id: FEW_SHOT_TASK_ID,
  version: 1,
  description: 'Designs a schema at once, with four worked cases.',
  render: (input: BaselineInput): readonly Message[] =>
    baselineMessages(baselineSystemText(JOB, [WORKED_CASE, ...FURTHER_CASES], PLAIN), input),
  output: directOutput,
});

/**
 * Not of the paper: one prompt with everything that the roles know, word for word, and the worked case. Against it, a
 * comparison measures what several turns, tools and tests are worth.
 */
export const guidedTask: Task<BaselineInput, BaselineOutput> = defineTask({
  id: GUIDED_TASK_ID,
  version: 1,
  description: 'Designs a schema at once, with the conventions of the roles and one worked case.',
  render: (input: BaselineInput): readonly Message[] =>
    baselineMessages(baselineSystemText(JOB, [WORKED_CASE], { withSteps: false, conventions: true }), input),
  output: directOutput,
});

/** The requirement behind the system prompt of a baseline. */
export function baselineMessages(system: string, { requirement }: BaselineInput): readonly Message[] {
  return [
    systemMessage(system),
    userMessage(`The requirement:\n${fence('requirement', requirement)}\n\nDesign the schema.`),
  ];
}
