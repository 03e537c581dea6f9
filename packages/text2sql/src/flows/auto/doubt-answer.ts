import { defineStep } from '@askema/core';
import { standingKnowledge } from '../../question/known.ts';
import { readQuestion } from '../../question/question-input.ts';
import type { AutoDeps, AutoSlice, AutoState } from './auto-state.ts';
import { type DoubtsFound, findDoubts } from './find-doubts.ts';
import { rejectChosen, standingAnswer } from './standing-answer.ts';

/**
 * DoubtAnswer: looks for what speaks against the answer that stands, and decides what that buys: nothing, a revision, a
 * second attempt, the flow `refine`. `ask`: the answer is of the solver that was asked first; the model is asked.
 */
export const doubtAnswer = defineStep<AutoState, AutoDeps>()({
  name: 'doubt-answer',
  actions: ['default', 'ask', 'revise', 'attempt', 'refine'],
  prep: (state) => ({
    isKnown: standingKnowledge(state) !== undefined,
    asked: readQuestion(state),
    doubtFrom: state.flow.doubtFrom,
    answer: state.flow.doubts === null ? standingAnswer(state) : null,
  }),
  exec: async ({ asked, doubtFrom, answer, isKnown }, context): Promise<DoubtsFound | null> =>
    answer === null || isKnown ? null : findDoubts(answer, asked, doubtFrom, context),
  post: (state, { isKnown }, found) => {
    const { flow } = state;
    // Somebody stands by the definition; what speaks against a statement is a guess.
    if (isKnown) return 'default';
    if (found !== null) {
      flow.doubts = found.doubts;
      flow.signals = found.signals;
      state.warnings.push(...found.warnings);
    }
    if (flow.isFirst) {
      // Declined, failed or doubted: nothing of it stays but the candidates.
      const isAnswered = state.verdict?.type === 'answered' && flow.doubts?.length === 0;
      if (isAnswered) return 'default';
      forget(state);
      return 'ask';
    }
    return state.verdict?.type === 'answered' ? nextFor(flow) : 'default';
  },
});

/** What the doubts that remain buy. */
function nextFor({ doubts, isKept, revisions, attempts, agreed, refinements, limits }: AutoSlice) {
  if (doubts === null || doubts.length === 0 || agreed === true) return 'default';
  const hasError = doubts.some(({ isError }) => isError);
  // Who looked at the doubts and kept the statement has answered them, except for what surely is a mistake.
  if (isKept && !hasError) return 'default';
  if (!isKept && revisions < limits.revisions) return 'revise';
  if (attempts < limits.attempts) return 'attempt';
  return refinements < limits.refinements ? 'refine' : 'default';
}

function forget(state: AutoState): void {
  state.flow.isFirst = false;
  state.flow.doubts = null;
  state.flow.signals = null;
  rejectChosen(state, 'It was doubted.');
  state.verdict = null;
  state.generatedSql = null;
  state.explanation = null;
  state.executionError = null;
  state.finalError = null;
  state.finalResult = null;
  state.resultColumns = null;
  state.resultFigures = null;
  state.otherReadings = [];
  state.assumptions = [];
  state.solvedBy = null;
}
