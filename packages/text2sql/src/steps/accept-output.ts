import type { GenerateSqlOutput, Solved } from '@askema/core';
import { cleanSql } from '../prompts/clean-sql.ts';
import type { Choice } from '../question/outcome-parts.ts';
import type { OtherReading, QuestionState } from '../question/question-state.ts';

/**
 * Writes an answer of the generate task to the state, with what else is known of it: the readings of a question become
 * choices. `declined` where the question waits for a decision, too: {@link weighReadings} may find that there is none.
 */
export function acceptOutput(
  state: QuestionState,
  output: GenerateSqlOutput,
  { readings = [], assumptions = [] }: Pick<Solved<unknown>, 'readings' | 'assumptions'> = {},
): 'default' | 'declined' {
  const explanation = output.explanation.trim();
  state.explanation = explanation === '' ? null : explanation;
  state.executionError = null;
  const others = readingsOf(output.other_readings);
  state.wouldAgree = output.would_agree ?? null;
  switch (output.outcome) {
    case 'sql':
      state.generatedSql = cleanSql(output.sql);
      state.assumptions = [...assumptions];
      state.otherReadings = others;
      return 'default';
    case 'needs_clarification':
      acceptReadings(state, explanation, [...readings, ...others]);
      return 'declined';
    case 'unanswerable':
      state.verdict = {
        type: 'unanswerable',
        reason: explanation || 'The database does not hold what the question asks for.',
        notUnderstood: output.not_understood,
      };
      return 'declined';
  }
}

/** Other readings of one answer: each is a statement to run. */
export const MAX_READINGS = 3;

/** The other readings that an answer names, as the state keeps them. */
export function readingsOf(named: GenerateSqlOutput['other_readings'] = []): readonly OtherReading[] {
  return named.slice(0, MAX_READINGS).flatMap(({ meaning, sql, likelihood }) => {
    const reading = { meaning: meaning.trim(), sql: cleanSql(sql), isEqual: likelihood === 'equal' };
    return reading.sql === '' ? [] : [reading];
  });
}

/** The question waits for a decision between these readings: {@link weighReadings} may find that there is none. */
export function acceptReadings(
  state: QuestionState,
  ask: string,
  [first, ...rest]: readonly { readonly meaning: string; readonly sql: string }[],
): void {
  state.generatedSql = first?.sql ?? null;
  state.otherReadings = rest.map(({ meaning, sql }) => ({ meaning, sql, isEqual: true }));
  state.verdict = {
    type: 'needsClarification',
    ask: ask || UNCLEAR,
    choices: choicesOf(first === undefined ? [] : [first, ...rest]),
  };
}

/** What is asked where nobody says it in other words. */
export const UNCLEAR = 'The question can be read in more than one way.';

/** Readings as what can be chosen. */
export function choicesOf(
  readings: readonly { readonly meaning: string; readonly sql: string; readonly gives?: string | undefined }[],
): readonly Choice[] {
  return readings.map(({ meaning, sql, gives }, at) => ({
    id: String(at + 1),
    meaning,
    ...(gives === undefined ? {} : { gives }),
    resolution: { kind: 'sql', sql },
  }));
}
