import { defineTask, fence, type Message, type Task } from '@askema/core';
import type { Probe } from '@askema/grounding';
import * as z from 'zod';
import { type ExplorationPromptInput, explorationMessages } from './explore-columns.ts';

const REVISE_QUEUE_TASK_ID = 'text2sql.revise-queue';

export interface ReviseQueueInput extends ExplorationPromptInput {
  /** The statement that failed, its error, and the correction that ran. */
  readonly failed: string;
  readonly message: string;
  readonly corrected: string;
  /** The statements that are still to be run. */
  readonly queue: readonly Probe[];
}

const reviseQueueOutput = z.object({
  probes: z
    .array(z.object({ purpose: z.string(), sql: z.string().describe('One SELECT, without a trailing semicolon.') }))
    .describe(
      'All statements of the list in their order, those with the same mistake corrected, the others unchanged.',
    ),
});

export type ReviseQueueOutput = z.infer<typeof reviseQueueOutput>;

const JOB =
  'Statements look into a database to find out what it holds. One of them failed, and a correction of it ran. The statements below are still to be run: where one of them makes a similar mistake, correct it in the same way. Give back the whole list.';

/** The prompt that carries a correction over to the rest of the queue (Algorithm 1). */
export const reviseQueueTask: Task<ReviseQueueInput, ReviseQueueOutput> = defineTask({
  id: REVISE_QUEUE_TASK_ID,
  version: 3,
  description: 'Corrects the statements of an exploration that are still to be run by what was learned from one.',
  render: (input: ReviseQueueInput): readonly Message[] => explorationMessages(input, JOB, lessonSections(input)),
  output: reviseQueueOutput,
});

function lessonSections({ failed, message, corrected, queue }: ReviseQueueInput): readonly string[] {
  const listed = queue.map(({ purpose, sql }, position) => `${position + 1}. ${purpose}\n${sql}`).join('\n\n');
  return [
    `Failed:\n${fence('statement', failed)}\n${fence('error', message.slice(0, 1_000))}`,
    `Ran in its place:\n${fence('statement', corrected)}`,
    `Still to be run:\n${fence('statements', listed)}`,
  ];
}
