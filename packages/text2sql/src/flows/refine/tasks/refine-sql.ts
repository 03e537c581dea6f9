import { defineTask, type ErrorClass, fence, type Message, type Task } from '@askema/core';
import * as z from 'zod';
import {
  DECLINING_RULES,
  ERROR_ADVICE,
  NO_READINGS,
  READING_RULES,
  taskMessages,
} from '../../../prompts/prompt-sections.ts';
import { otherReadings, sqlFields } from '../../../prompts/sql-fields.ts';
import type { RefineAttempt, ThreadChat } from '../state/refine-state.ts';
import { hasBegun, nextMessages } from './chat-messages.ts';
import {
  attemptSections,
  expandedSections,
  outcomeSections,
  type RefinePromptInput,
  refineSections,
} from './refine-sections.ts';

export const REFINE_SQL_TASK_ID = 'text2sql.refine-sql';

export interface RefineSqlInput extends RefinePromptInput {
  /** How to go about it; empty where nothing is said. */
  readonly perspective: string;
  /** What was tried before, oldest first. */
  readonly attempts: readonly RefineAttempt[];
  /** True when the schema leaves relations out, and one may still be asked for. */
  readonly canExpand: boolean;
}

const refineSqlOutput = z.object({
  thinking: z
    .string()
    .describe(
      'A few sentences: what one row of the answer stands for, which relations and joins, which conditions with which stored values.',
    ),
  outcome: sqlFields.outcome,
  sql: sqlFields.sql,
  explanation: sqlFields.explanation,
  not_understood: sqlFields.not_understood,
  other_readings: otherReadings,
  format_departs: z
    .string()
    .describe('Why the statement departs from the expected format, in one sentence; empty where it follows it.'),
  expand: z
    .array(z.string())
    .describe('Relations whose description has to be seen before the statement can be written; usually empty.'),
});

export type RefineSqlOutput = z.infer<typeof refineSqlOutput>;

const job = (extraColumns: boolean): string =>
  `You turn the question into SQL. Your statement is run as it is, and its result is the answer${extraColumns ? '' : ': it must be exactly what was asked for'}. It is held against what others answer independently of you.`;

/** The prompt that writes a statement, and writes it anew after what was tried (Algorithm 2). */
export const refineSqlTask: Task<RefineSqlInput, RefineSqlOutput> = defineTask({
  id: REFINE_SQL_TASK_ID,
  version: 3,
  description: 'Writes SQL for a question, from schema, documents, expected format, probes and earlier attempts.',
  render: (input: RefineSqlInput): readonly Message[] =>
    hasBegun(input.conversation)
      ? nextMessages(input.conversation, newSections(input, input.conversation))
      : taskMessages(input, {
          shared: refineSections(input),
          job: job(input.extraColumns === true),
          sections: [
            DECLINING_RULES,
            READING_RULES,
            NO_READINGS,
            ...(input.format === null || input.strictFormat === true ? [] : [DEPARTING_RULES]),
            EXPANDING_RULES,
            ...attemptSections(input.attempts),
            ...lastErrorSections(input.attempts.at(-1)),
            ...(input.attempts.length === 0 ? [] : [AGAIN]),
            ...(input.canExpand ? [MAY_EXPAND] : []),
            ...(input.perspective === '' || input.attempts.length > 0 ? [] : [input.perspective]),
          ],
        }),
  output: refineSqlOutput,
});

/** What the chat has not been told, and the job. */
function newSections({ attempts, expanded, canExpand }: RefineSqlInput, chat: ThreadChat): readonly string[] {
  const ended = attempts.slice(chat.attempts);
  const texts = expanded.slice(chat.expanded);
  return [
    ...expandedSections(texts),
    ...outcomeSections(ended),
    ...lastErrorSections(ended.at(-1)),
    attempts.length === 0 ? NEXT : AGAIN,
    ...(texts.length > 0 && !canExpand ? [NO_MORE] : []),
  ];
}

const NEXT = 'Now write the statement that answers the question, whole.';
const NO_MORE = 'You may ask for no more of the schema.';

const DEPARTING_RULES =
  'Where the data show that the expected format misreads the question, write what the question asks for, and name in `format_departs` what in the data shows it.';
const EXPANDING_RULES =
  'Leave `expand` empty, unless the prompt says that the schema is incomplete: then name up to five relations that it mentions without describing them, if the statement cannot be written without them.';
const MAY_EXPAND = 'The schema above is incomplete: relations are left out. You may ask for some with `expand`.';
const AGAIN =
  'Find out why what was tried is not the answer, and write the whole statement anew. Do not repeat a statement that failed or was found wrong.';

function lastErrorSections(attempt: RefineAttempt | undefined): readonly string[] {
  const error = attempt?.error;
  if (error === undefined) return [];
  const errorClass: ErrorClass | undefined =
    error.details.errorClass ?? (error.code === 'QUERY_TIMEOUT' ? 'timeout' : undefined);
  const advice = errorClass === undefined ? undefined : ERROR_ADVICE[errorClass];
  const near = error.details.nearestNames ?? [];
  return [
    ...(advice === undefined ? [] : [advice]),
    ...(near.length === 0 ? [] : [`Names that exist and are near:\n${fence('names', near.join('\n'))}`]),
  ];
}
