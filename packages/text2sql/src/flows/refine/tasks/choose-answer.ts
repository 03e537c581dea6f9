import { defineTask, fence, type Message, type QueryResult, type Task } from '@askema/core';
import * as z from 'zod';
import { type PromptInput, taskMessages } from '../../../prompts/prompt-sections.ts';
import { resultView } from '../../../prompts/result-view.ts';
import { describeDifference } from '../../../vote/describe-difference.ts';

const CHOOSE_ANSWER_TASK_ID = 'text2sql.choose-answer';

/** An answer to choose from: one for each cluster that the vote could not separate. */
export interface AnswerCandidate {
  /** The id that the vote knows it by. */
  readonly id: string;
  readonly sql: string;
  readonly result: Pick<QueryResult, 'columns' | 'rows' | 'truncated'>;
  /** Attempts that came to this result. */
  readonly votes?: number | undefined;
}

export interface ChooseAnswerInput extends PromptInput {
  /**
   * Finished sections between the schema and the answers, fenced where they hold data: the expected format, what was
   * explored.
   */
  readonly sections?: readonly string[] | undefined;
  /** At most {@link MAX_ANSWERS} are shown, the first ones. */
  readonly candidates: readonly AnswerCandidate[];
}

const chooseAnswerOutput = z.object({
  reason: z
    .string()
    .describe('What decides between the answers: for each difference, which of them is what the question asks for.'),
  choice: z.string().describe('The letter of the answer that is right, or `none` when all are wrong.'),
});

export type ChooseAnswerOutput = z.infer<typeof chooseAnswerOutput>;

/** Answers that a prompt shows at most. */
export const MAX_ANSWERS = 6;

/** A long statement is cut in the middle: its beginning and its end say most. */
const MAX_SQL_CHARACTERS = 6_000;

const JOB =
  'Several statements were written for the same question, independently of each other, and their results differ. Choose the one whose result is exactly what the question asks for. Go through the differences one by one and hold each against the words of the question; do not go by length, order or looks. How many attempts came to a result is a hint, no proof. When every answer departs from the question, say `none`.';

/**
 * The prompt by which a model settles what a vote cannot (section 3.2.5): the distinct answers, and in what they
 * differ.
 */
export const chooseAnswerTask: Task<ChooseAnswerInput, ChooseAnswerOutput> = defineTask({
  id: CHOOSE_ANSWER_TASK_ID,
  version: 2,
  description: 'Chooses between answers that a vote could not separate.',
  render: (input: ChooseAnswerInput): readonly Message[] =>
    taskMessages(input, {
      shared: input.sections,
      job: JOB,
      sections: [
        ...input.candidates.slice(0, MAX_ANSWERS).map(answerSection),
        ...differenceSections(input.candidates.slice(0, MAX_ANSWERS)),
      ],
    }),
  output: chooseAnswerOutput,
});

/** The candidate that an answer of the model names; undefined for `none` and for letters that were not shown. */
export function chosenCandidate(
  { choice }: ChooseAnswerOutput,
  candidates: readonly AnswerCandidate[],
): AnswerCandidate | undefined {
  const letter = /^[^a-z]*(?:answer\s+)?([a-z])[^a-z]*$/i.exec(choice.slice(0, 40))?.[1]?.toUpperCase();
  return candidates.slice(0, MAX_ANSWERS).find((_, position) => letterOf(position) === letter);
}

function answerSection({ sql, result, votes }: AnswerCandidate, position: number): string {
  const found = votes === undefined ? '' : ` (${votes} ${votes === 1 ? 'attempt' : 'attempts'})`;
  return [
    `Answer ${letterOf(position)}${found}:`,
    fence('statement', shortened(sql)),
    'Its result:',
    fence('result', resultView(result)),
  ].join('\n');
}

/** Each answer beside the first one. */
function differenceSections(candidates: readonly AnswerCandidate[]): readonly string[] {
  const [first, ...others] = candidates;
  if (first === undefined || others.length === 0) return [];
  const lines = others.flatMap((other, position) => {
    const names = { first: letterOf(0), second: letterOf(position + 1) };
    return [
      `${names.first} and ${names.second}:`,
      ...describeDifference(first, other, names).map((fact) => `- ${fact}`),
    ];
  });
  return [`In what they differ, computed:\n${fence('differences', lines.join('\n'))}`];
}

function letterOf(position: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + position);
}

function shortened(sql: string): string {
  if (sql.length <= MAX_SQL_CHARACTERS) return sql;
  return `${sql.slice(0, MAX_SQL_CHARACTERS / 2)}\n…\n${sql.slice(-MAX_SQL_CHARACTERS / 2)}`;
}
