import { defineTask, type ErrorClass, fence, type Message, type Task } from '@askema/core';
import type { Probe, ProbeFailure } from '@askema/grounding';
import * as z from 'zod';
import { nearNamesSections } from '../../prompts/prompt-sections.ts';
import { type ExplorationPromptInput, explorationMessages } from './explore-columns.ts';

const CORRECT_PROBE_TASK_ID = 'text2sql.correct-probe';

export interface CorrectProbeInput extends ExplorationPromptInput {
  readonly purpose: string;
  /** `exceptions`: to find no rows is what it wants to know. */
  readonly looksFor?: Probe['looksFor'];
  /** What was tried, oldest first; the last one failed now. */
  readonly tried: readonly { readonly sql: string; readonly failure: ProbeFailure }[];
}

const correctProbeOutput = z.object({
  explanation: z.string().describe('What was wrong, in one sentence.'),
  sql: z
    .string()
    .describe('The one corrected statement, without a trailing semicolon; empty when there is nothing to correct.'),
});

export type CorrectProbeOutput = z.infer<typeof correctProbeOutput>;

const JOB =
  'Before somebody answers the question below with SQL, statements look up what the database holds for it. One of them failed or found no rows. Write one in its place that runs and shows the same thing; do not answer the question itself.';

const ADVICE: Readonly<Record<ErrorClass, string>> = {
  identifier:
    'A name does not exist where it is used. Look it up in the schema: it may be spelled or quoted differently, or belong to another relation.',
  syntax: 'It does not follow the syntax of this database.',
  function: 'A function does not exist here, or takes other arguments.',
  type: 'Values of types that do not fit were compared or combined: cast them, or use the attribute that has the right type.',
  constraint: 'It would change data. Only read.',
  permission: 'It was not allowed. Only read, and only what the schema shows.',
  timeout: 'It took too long. Do less: one relation, a filter, a smaller LIMIT, no sorting of everything.',
  empty:
    'It found no rows. Widen it: drop conditions, look for a shorter and more telling part of the text, without regard to case. When nothing is to be widened, answer with an empty statement.',
  other: 'Find the cause in the message.',
};

/** The prompt for one corrected statement (Algorithm 1). */
export const correctProbeTask: Task<CorrectProbeInput, CorrectProbeOutput> = defineTask({
  id: CORRECT_PROBE_TASK_ID,
  version: 3,
  description: 'Corrects a statement of an exploration that failed or found nothing.',
  render: (input: CorrectProbeInput): readonly Message[] => explorationMessages(input, JOB, failureSections(input)),
  output: correctProbeOutput,
});

/** Messages of databases quote cells; what is needed of them stands at their beginning. */
const MAX_MESSAGE_CHARACTERS = 1_000;

const EXCEPTIONS =
  'It looks for what should not be there (duplicates, orphans, blanks, NULLs): to find none is an answer, too.';

function failureSections({ purpose, looksFor, tried }: CorrectProbeInput): readonly string[] {
  const last = tried.at(-1)?.failure;
  return [
    `What it is to show:\n${fence('purpose', purpose)}`,
    ...(looksFor === 'exceptions' ? [EXCEPTIONS] : []),
    ...tried.map(
      ({ sql, failure }) =>
        `Tried:\n${fence('statement', sql)}\n${fence('error', failure.message.slice(0, MAX_MESSAGE_CHARACTERS))}`,
    ),
    ...nearNamesSections(last?.nearestNames),
    ADVICE[last?.errorClass ?? 'other'],
  ];
}
