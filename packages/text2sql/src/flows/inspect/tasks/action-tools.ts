import type { ToolDefinition } from '@askema/core';
import * as z from 'zod';
import { CLAUSE_TOOLS } from '../clauses/action-schemas.ts';
import { beforeActions, behindActions } from './generate-actions.ts';
import { decisionOutput } from './revise-actions.ts';

export const DECLINE = 'decline';
export const DECIDE = 'decide';

/** Arguments of `decline`. */
export const declineArguments = z.object({
  outcome: beforeActions.outcome.exclude(['actions']),
  ...behindActions,
});

/** Arguments of `decide`. */
export const decideArguments = decisionOutput;

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
export const GENERATE_TOOLS: readonly ToolDefinition[] = [...CLAUSE_TOOLS, DECLINE_TOOL];

/** The tools of a revised sequence. */
export const REVISE_TOOLS: readonly ToolDefinition[] = [DECIDE_TOOL, ...CLAUSE_TOOLS, DECLINE_TOOL];

function jsonSchema(schema: z.ZodType): ToolDefinition['parameters'] {
  const { $schema: _, ...rest } = z.toJSONSchema(schema);
  return rest as ToolDefinition['parameters'];
}
