import { defineTask, type ErrorClass, fence, type Message, type SerializedError, type Task } from '@askema/core';
import * as z from 'zod';
import { ERROR_ADVICE, nearNamesSections } from '../../../prompts/prompt-sections.ts';
import type { CteFault } from '../state/cte-work.ts';
import { cteMessages, type StepSectionsInput, stepSections } from './cte-sections.ts';
import { judgeCteOutput } from './judge-cte.ts';
import type { RefinePromptInput } from './refine-sections.ts';

const MEND_CTE_TASK_ID = 'text2sql.mend-cte';

export interface MendCteInput extends RefinePromptInput, StepSectionsInput {
  readonly fault: CteFault;
}

const mendCteOutput = z.object({
  problem: z.string().describe('What is wrong, in one or two sentences.'),
  cte: judgeCteOutput.shape.cte,
  body: z
    .string()
    .describe('The whole new text of that step alone: what stands between its brackets, without name and AS.'),
});

export type MendCteOutput = z.infer<typeof mendCteOutput>;

const INSTRUCTION =
  'All steps before this one run and were looked at. Write the text of this step anew so that it runs and serves its purpose. Only when it needs something that a step before it does not give, write that step anew instead, and name it.';

/** The prompt that writes one step anew: the database refused it, or it was found wrong. */
export const mendCteTask: Task<MendCteInput, MendCteOutput> = defineTask({
  id: MEND_CTE_TASK_ID,
  version: 2,
  description: 'Writes one CTE anew that failed or was found wrong.',
  render: (input: MendCteInput): readonly Message[] =>
    cteMessages(input, [...stepSections(input), ...faultSections(input.fault), INSTRUCTION]),
  output: mendCteOutput,
});

function faultSections(fault: CteFault): readonly string[] {
  if (fault.type === 'problem') return [`What is wrong with it:\n${fence('problem', fault.problem)}`];
  const { error } = fault;
  const advice = ERROR_ADVICE[classOf(error) ?? 'other'];
  return [
    `The database refused it:\n${fence('error', error.message)}`,
    ...(advice === undefined ? [] : [advice]),
    ...nearNamesSections(error.details.nearestNames),
  ];
}

function classOf(error: SerializedError): ErrorClass | undefined {
  return error.details.errorClass ?? (error.code === 'QUERY_TIMEOUT' ? 'timeout' : undefined);
}
