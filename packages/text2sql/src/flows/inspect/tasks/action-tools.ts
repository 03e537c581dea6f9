import type { ToolDefinition } from '@askema/core';
import * as z from 'zod';
import { CLAUSE_TOOLS } from '../clauses/action-schemas.ts';
import { beforeActions, behindActions, readingsOutput } from './generate-actions.ts';
import { decisionOutput } from './revise-actions.ts';

export const DECLINE = 'decline';
export const DECIDE = 'decide';
export const OTHER_READINGS = 'other_readings';

/** Arguments of `decline`. */
export const declineArguments = z.object({
  outcome: beforeActions.outcome.exclude(['actions']),
  ...behindActions,
});

/** Arguments of `decide`. */
export const decideArguments = decisionOutput;

/** Arguments of `other_readings`. */
export const readingsArguments = z.object({ readings: readingsOutput });

const READINGS_TOOL: ToolDefinition = {
  name: OTHER_READINGS,
  description: 'Notes other readings of the question. Call it once, before the actions, and only where there are any.',
  parameters: jsonSchema(readingsArguments),
};

const DECLINE_TOOL: ToolDefinition = {
  name: DECLINE,
  description: 'Says that the question is unclear, or that the database cannot answer it. Call it alone.',
  parameters: jsonSchema(declineArguments),
};

const DECIDE_TOOL: ToolDefinition = {
  name: DECIDE,
  description: 'Says what is done about one finding. Call it once for each finding, before the actions.',
  parameters: jsonSchema(decideArguments),
};

/** The tools of a first sequence. */
export const GENERATE_TOOLS: readonly ToolDefinition[] = [READINGS_TOOL, ...CLAUSE_TOOLS, DECLINE_TOOL];

/** The tools of the sequence of a sub-question: its readings are those of the question. */
export const SUB_QUESTION_TOOLS: readonly ToolDefinition[] = [...CLAUSE_TOOLS, DECLINE_TOOL];

/** The tools of a revised sequence. */
export const REVISE_TOOLS: readonly ToolDefinition[] = [DECIDE_TOOL, ...CLAUSE_TOOLS, DECLINE_TOOL];

function jsonSchema(schema: z.ZodType): ToolDefinition['parameters'] {
  const { $schema: _, ...rest } = z.toJSONSchema(schema);
  return rest as ToolDefinition['parameters'];
}
