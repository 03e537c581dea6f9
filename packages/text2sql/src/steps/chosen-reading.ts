import type { QuestionState } from '../question/question-state.ts';

/** A reading of the question that somebody chose. */
export interface ChosenReading {
  readonly sql: string;
  readonly meaning: string;
}

/**
 * The statement that was chosen when the question was asked back: it is run, and nobody writes another. None where words
 * were the answer, and where the statement was tried already.
 */
export function chosenReading({
  clarified,
  candidates,
}: Pick<QuestionState, 'clarified' | 'candidates'>): ChosenReading | undefined {
  const last = clarified.at(-1);
  if (last?.sql === undefined || candidates.length > 0) return undefined;
  return { sql: last.sql, meaning: last.answer };
}
