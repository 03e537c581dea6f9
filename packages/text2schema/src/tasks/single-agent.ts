import {
  defineTask,
  type Message,
  type Task,
  type ToolProgress,
  type ToolTurn,
  toolMessages,
  toolTurnOutput,
} from '@askema/core';
import { WORKED_CASE } from '../demonstration/index.ts';
import {
  type BaselineInput,
  type BaselineOutput,
  baselineMessages,
  baselineSystemText,
  directOutput,
} from './baselines.ts';
import { DESIGN_TOOLS } from './design-tools.ts';

const SINGLE_AGENT_TASK_ID = 'text2schema.single-agent';

const JOB = [
  'You are an expert in database design, and turn the requirement of a user into a relational schema alone: you read the requirement like a product manager, model like a conceptual designer, review your model, and make relations of it like a logical designer.',
  '',
  'Work in steps of thought, action and observation. In the first thought, name the entity sets and relationship sets with attributes and cardinalities, and hold them once more against every sentence of the requirement. Then use the tools, several sets in one use:',
  ...DESIGN_TOOLS.map(({ name, description }) => `- \`${name}\`: ${description}`),
  'Think about each observation: does a key let in what real life brings, and nothing twice? Then answer with the schema.',
].join('\n');

/**
 * One agent that does the work of all roles and has their tools; asked through `solveWithTools` with `DESIGN_TOOLS`.
 */
export const singleAgentTask: Task<BaselineInput & ToolProgress, ToolTurn<BaselineOutput>> = defineTask({
  id: SINGLE_AGENT_TASK_ID,
  version: 1,
  description: 'Designs a schema alone, with the tools of the roles.',
  render: (input: BaselineInput & ToolProgress): readonly Message[] => [
    ...baselineMessages(baselineSystemText(JOB, [WORKED_CASE], { withSteps: false, conventions: true }), input),
    ...toolMessages(input),
  ],
  output: toolTurnOutput(DESIGN_TOOLS, directOutput),
});
