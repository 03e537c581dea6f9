import type { QueryResult } from '@askema/core';
import type { QuestionState } from './question-state.ts';

/** The result of the last statement that succeeded; null where none did. */
export function resultOf(
  state: Readonly<Pick<QuestionState, 'finalResult' | 'resultColumns' | 'resultFigures'>>,
): QueryResult | null {
  const { finalResult: rows, resultColumns, resultFigures } = state;
  return rows === null ? null : { elapsedMs: 0, ...resultFigures, columns: resultColumns ?? [], rows };
}
