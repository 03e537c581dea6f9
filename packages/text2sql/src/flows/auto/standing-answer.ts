import { cleanSql } from '../../prompts/clean-sql.ts';
import { acceptResult } from '../../steps/execute-sql.ts';
import type { AutoState } from './auto-state.ts';
import type { RunStatement } from './find-doubts.ts';

/** The statement that is the answer so far, with its result; null where there is none. */
export function standingAnswer(state: Readonly<AutoState>): RunStatement | null {
  const { verdict, generatedSql, finalResult, resultColumns, resultFigures } = state;
  if (verdict?.type !== 'answered' || generatedSql === null || finalResult === null) return null;
  return {
    sql: generatedSql,
    result: { elapsedMs: 0, ...resultFigures, columns: resultColumns ?? [], rows: finalResult },
  };
}

/** Puts another answer in the place of the one that stands. What was assumed for that one is gone with it. */
export function replaceAnswer(
  state: AutoState,
  { sql, result }: RunStatement,
  explanation: string,
  reason: string,
): void {
  state.candidates = state.candidates.map((candidate) =>
    candidate.status === 'chosen' ? { ...candidate, status: 'rejected', reason } : candidate,
  );
  state.generatedSql = cleanSql(sql);
  state.explanation = explanation.trim() || state.explanation;
  state.assumptions = [];
  acceptResult(state, sql, result);
}
