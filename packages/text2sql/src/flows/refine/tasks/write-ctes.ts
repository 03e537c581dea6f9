import { defineTask, fence, type Message, type Task } from '@askema/core';
import * as z from 'zod';
import type { RefineAttempt } from '../state/refine-state.ts';
import { cteMessages } from './cte-sections.ts';
import { attemptSections, type RefinePromptInput } from './refine-sections.ts';

const WRITE_CTES_TASK_ID = 'text2sql.write-ctes';

export interface WriteCtesInput extends RefinePromptInput {
  /** What was tried before, oldest first. */
  readonly attempts: readonly RefineAttempt[];
  /** A statement of this task that had no CTE. */
  readonly withoutCtes: string | null;
}

const writeCtesOutput = z.object({
  thinking: z
    .string()
    .describe(
      'A few sentences: why what was tried, if anything, is not the answer, and the steps by which a person would find it.',
    ),
  steps: z
    .array(
      z.object({
        name: z.string().describe('The name of the CTE.'),
        purpose: z.string().describe('What one row of it stands for, and which rows it holds.'),
      }),
    )
    .describe('The CTEs in their order.'),
  sql: z.string().describe('The whole statement: WITH, the CTEs, and the SELECT behind them; no trailing semicolon.'),
  explanation: z.string().describe('One or two sentences for the person who asks: how the question was read.'),
});

export type WriteCtesOutput = z.infer<typeof writeCtesOutput>;

const INSTRUCTION =
  'Write the statement as steps that mean something: WITH … AS (…), … SELECT. Each CTE will be run and judged by its name and purpose alone.';

/** The prompt that writes a statement as a chain of CTEs (section 3.2.4, CTE-based refinement). */
export const writeCtesTask: Task<WriteCtesInput, WriteCtesOutput> = defineTask({
  id: WRITE_CTES_TASK_ID,
  version: 2,
  description: 'Writes SQL as a chain of meaningful CTEs.',
  render: (input: WriteCtesInput): readonly Message[] =>
    cteMessages(input, [
      ...attemptSections(input.attempts),
      INSTRUCTION,
      ...(input.withoutCtes === null ? [] : [withoutCtesSection(input.withoutCtes)]),
    ]),
  output: writeCtesOutput,
});

function withoutCtesSection(sql: string): string {
  return `Your last statement has no CTE:\n${fence('statement', sql)}\nTake it apart into steps that can be looked at one by one.`;
}
