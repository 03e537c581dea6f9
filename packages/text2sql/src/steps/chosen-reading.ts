import { KNOWLEDGE } from '../question/known.ts';
import type { QuestionState } from '../question/question-state.ts';

/** A reading of the question that somebody chose. */
export interface ChosenReading {
  readonly sql: string;
  readonly meaning: string;
  /** Where it is no solver that wrote it. */
  readonly solvedBy?: string | undefined;
}

/**
 * The statement that was chosen when the question was asked back, or that knowledge answers with: it is run, and nobody
 * writes another. None where words were the answer, and where the statement was tried already.
 */
export function chosenReading({
  clarified,
  candidates,
  known,
}: Pick<QuestionState, 'clarified' | 'candidates' | 'known'>): ChosenReading | undefined {
  const last = clarified.at(-1);
  if (candidates.length > 0) return undefined;
  if (last?.sql !== undefined) return { sql: last.sql, meaning: last.answer };
  const answer = last === undefined ? known?.answer : undefined;
  return answer && { sql: answer.sql, meaning: answer.explanation, solvedBy: KNOWLEDGE };
}
