import { defineTask, fence, type Message, systemMessage, type Task, userMessage } from '@askema/core';
import { FURTHER_CASES, WORKED_CASE } from '../demonstration/index.ts';
import { baselineSystemText } from './baseline-text.ts';
import { type BaselineOutput, directOutput, thoughtfulOutput } from './named-schema-form.ts';

export const ONE_SHOT_TASK_ID = 'text2schema.one-shot';
export const CHAIN_OF_THOUGHT_TASK_ID = 'text2schema.chain-of-thought';
export const FEW_SHOT_TASK_ID = 'text2schema.few-shot';
export const GUIDED_TASK_ID = 'text2schema.guided';

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
 * Not of the paper: one prompt with everything that the roles know, word for word, and the worked case. Against it, a comparison measures
 * what several turns, tools and tests are worth.
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
