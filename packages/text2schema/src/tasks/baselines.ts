import { defineTask, type Message, systemMessage, type Task, userMessage } from '@askema/core';
import { type BaselineOutput, directOutput, thoughtfulOutput } from './named-schema-form.ts';

export const ONE_SHOT_TASK_ID = 'text2schema.one-shot';
export const CHAIN_OF_THOUGHT_TASK_ID = 'text2schema.chain-of-thought';
export const FEW_SHOT_TASK_ID = 'text2schema.few-shot';
export const SINGLE_AGENT_TASK_ID = 'text2schema.single-agent';

export interface BaselineInput {
  readonly requirement: string;
}

const render = ({ requirement }: BaselineInput): readonly Message[] => [systemMessage('…'), userMessage(requirement)];

/** One worked case (SchemaAgent, section 5.4). */
export const oneShotTask: Task<BaselineInput, BaselineOutput> = defineTask({
  id: ONE_SHOT_TASK_ID,
  version: 1,
  description: 'Designs a schema at once, with one worked case.',
  render,
  output: directOutput,
});

/** The six steps of the paper, with one worked case (section 5.4). */
export const chainOfThoughtTask: Task<BaselineInput, BaselineOutput> = defineTask({
  id: CHAIN_OF_THOUGHT_TASK_ID,
  version: 1,
  description: 'Designs a schema in six steps of thought, with one worked case.',
  render,
  output: thoughtfulOutput,
});

/** The worked case, and three more with two, four and six relations (section 5.4). */
export const fewShotTask: Task<BaselineInput, BaselineOutput> = defineTask({
  id: FEW_SHOT_TASK_ID,
  version: 1,
  description: 'Designs a schema at once, with four worked cases.',
  render,
  output: directOutput,
});

/** One agent that does the work of all roles and has their tools; asked through `solveWithTools`. */
export const singleAgentTask: Task<BaselineInput, BaselineOutput> = defineTask({
  id: SINGLE_AGENT_TASK_ID,
  version: 1,
  description: 'Designs a schema alone, with the tools of the roles.',
  render,
  output: thoughtfulOutput,
});
