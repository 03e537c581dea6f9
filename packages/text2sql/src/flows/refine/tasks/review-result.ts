import { defineTask, fence, type Message, type QueryResult, type Task } from '@askema/core';
import * as z from 'zod';
import { taskMessages } from '../../../prompts/prompt-sections.ts';
import { resultView } from '../../../prompts/result-view.ts';
import { otherReadings } from '../../../prompts/sql-fields.ts';
import type { RefineAttempt, ResultCheck, ResultDoubt, ThreadChat } from '../state/refine-state.ts';
import { hasBegun, nextMessages } from './chat-messages.ts';
import { attemptSections, doubtSection, type RefinePromptInput, refineSections } from './refine-sections.ts';

const REVIEW_RESULT_TASK_ID = 'text2sql.review-result';

export interface ReviewResultInput extends RefinePromptInput {
  /** What was tried before this statement, oldest first. */
  readonly attempts: readonly RefineAttempt[];
  readonly sql: string;
  readonly result: Pick<QueryResult, 'columns' | 'rows' | 'truncated'>;
  /** Facts against it that were found without a model. */
  readonly doubts: readonly ResultDoubt[];
  /** Checks that an earlier review named, with what they gave. */
  readonly checks: readonly ResultCheck[];
  /** True when the result is empty or blank and only a check can confirm it. */
  readonly needsCheck: boolean;
  /** Why its writer departs from the expected format; empty where it follows it. */
  readonly formatDeparts: string;
}

const reviewResultOutput = z.object({
  would_refute: z
    .string()
    .describe('The one thing that would show the statement to be wrong, and whether it is so, as far as can be seen.'),
  assessment: z
    .string()
    .describe(
      'Point by point, briefly: what one row stands for; columns and their order; conditions and stored values; joins and repeated or lost rows; NULLs; ties and order. Where the statement or the result departs from the question.',
    ),
  problems: z.array(z.string()).describe('What is wrong, a sentence each; empty when nothing is.'),
  is_right: z.boolean().describe('True when the result is exactly what the question asks for.'),
  sql: z.string().describe('The corrected statement, whole; empty to keep the one that was reviewed.'),
  other_readings: otherReadings,
  check: z
    .string()
    .describe('Only for an empty or blank result: a statement that would show whether it is wrong. Else empty.'),
});

export type ReviewResultOutput = z.infer<typeof reviewResultOutput>;

const HOW =
  'Name first, in `would_refute`, the one thing that would show it to be wrong, and look for that. Then hold statement and result against the words of the question (and the expected format, where there is one). Leave `sql` empty to keep the statement, or write it anew. Change what is wrong, nothing that is a matter of taste: no aliases, no formatting, no other way to say the same.';
const JOB = `You check an answer. Somebody else wrote the statement below for the question below, and it may be wrong although it runs. ${HOW}`;
const NEXT = `Now check this answer as if somebody else had written the statement: it may be wrong although it runs. ${HOW}`;
const ONCE_MORE = 'Check the answer once more, by the same rules.';

const TWO_READINGS =
  'That the question can also be read in another natural way that gives other rows is no mistake of the statement: put that reading into `other_readings`.';

const HELPFUL_COLUMNS =
  'Columns behind those of the expected format that help to understand or check the answer are no mistake.';

const NEEDS_CHECK =
  'An empty result, or one of only zeros, NULLs or empty texts, mostly comes from a wrong condition. If you think it is right, or cannot tell, leave `sql` empty and name in `check` a statement that would show if it is not: the same one without its most doubtful condition, or the stored values nearest to those that it looks for. It is run, and you see the result before you decide.';

/** The prompt of the review (Algorithm 2): what was asked, what came, what speaks against it. */
export const reviewResultTask: Task<ReviewResultInput, ReviewResultOutput> = defineTask({
  id: REVIEW_RESULT_TASK_ID,
  version: 3,
  description: 'Judges the result of a statement against question and format, and gives the final statement.',
  render: (input: ReviewResultInput): readonly Message[] =>
    hasBegun(input.conversation)
      ? nextMessages(input.conversation, newSections(input, input.conversation))
      : taskMessages(input, {
          shared: refineSections(input),
          job: JOB,
          sections: [
            ...rulesOf(input),
            ...attemptSections(input.attempts),
            `The statement:\n${fence('statement', input.sql)}`,
            `Its result:\n${fence('result', resultView(input.result))}`,
            ...(input.formatDeparts === ''
              ? []
              : [`Its writer departs from the expected format, because:\n${fence('reason', input.formatDeparts)}`]),
            ...doubtSection(input.doubts),
            ...input.checks.map(checkSection),
            ...(input.needsCheck ? [NEEDS_CHECK] : []),
          ],
        }),
  output: reviewResultOutput,
});

/** What the chat has not been told, and the job. Statement and check stand in its replies. */
function newSections(input: ReviewResultInput, chat: ThreadChat): readonly string[] {
  const { attempts, result, doubts, checks, needsCheck } = input;
  // The last attempt is reviewed, and not among `attempts`.
  if (chat.attempts > attempts.length)
    return [...checks.slice(chat.checks).map((check) => `Your check ${checkOutcome(check)}`), ONCE_MORE];
  return [
    `What your last statement gave:\n${fence('result', resultView(result))}`,
    ...doubtSection(doubts),
    NEXT,
    ...rulesOf(input),
    ...(needsCheck ? [NEEDS_CHECK] : []),
  ];
}

function rulesOf({ extraColumns }: ReviewResultInput): readonly string[] {
  return [TWO_READINGS, ...(extraColumns === true ? [HELPFUL_COLUMNS] : [])];
}

function checkSection(check: ResultCheck): string {
  return `The check\n${fence('statement', check.sql)}\n${checkOutcome(check)}`;
}

function checkOutcome({ view, error }: ResultCheck): string {
  return error === undefined ? `gave:\n${fence('result', view ?? '')}` : `failed:\n${fence('error', error.message)}`;
}
