import { type AnswerSignals, type ConfidenceTable, confidenceOf, defineStep } from '@askema/core';
import type { Answered } from '../../question/outcome-parts.ts';
import type { AutoDeps, AutoState } from './auto-state.ts';

/** Before the flow `refine` takes over: keeps the answer that stands. */
export const keepAnswer = defineStep<AutoState, AutoDeps>()({
  name: 'keep-answer',
  exec: () => null,
  post: (state) => {
    const { flow, generatedSql, explanation } = state;
    flow.refinements += 1;
    flow.before = generatedSql === null ? null : { sql: generatedSql, explanation };
  },
});

/**
 * SettleAnswer: the end. Where `refine` found no answer, the one before it is run once more (`again`); doubts that
 * remain are said.
 */
export const settleAnswer = defineStep<AutoState, AutoDeps>()({
  name: 'settle-answer',
  actions: ['default', 'again'],
  exec: (_input, { deps }) => deps.own.confidence ?? null,
  post: (state, _input, table) => {
    const { flow } = state;
    // Where its answer can be read in two ways, it did: that is asked.
    if (flow.before !== null && flow.chosen === null && state.verdict?.type !== 'answered') {
      state.generatedSql = flow.before.sql;
      state.explanation = flow.before.explanation;
      state.executionError = null;
      state.finalError = null;
      flow.before = null;
      state.otherReadings = [];
      return 'again';
    }
    if (state.verdict?.type !== 'answered') return 'default';
    state.verdict = { ...state.verdict, ...confidenceOfAnswer(state, table) };
    if (flow.agreed === true || flow.isKept) return 'default';
    const open = flow.refinements > 0 ? [] : (flow.doubts ?? []);
    state.warnings.push(...open.map(({ text }) => `The answer is doubted: ${text}`));
    return 'default';
  },
});

/** None where `refine` decided, or a solver that is no model: a table is about answers of the model alone. */
function confidenceOfAnswer(
  state: AutoState,
  table: ConfidenceTable | null,
): Partial<Pick<Answered, 'signals' | 'confidence' | 'sure'>> {
  const { signals: own, isFirst, refinements, revisions, attempts } = state.flow;
  if (own === null || isFirst || refinements > 0) return {};
  const signals = {
    ...own,
    wasDoubted: Number(revisions > 0 || attempts > 1),
    failedBefore: Number(state.candidates.some(({ status }) => status === 'failed')),
    hasOtherReadings: Number(state.assumptions.length > 0),
    ...disagreement(state.wouldAgree ?? 'fewer'),
  };
  if (table === null) return { signals };
  if (table.model !== state.solvedBy) {
    state.warnings.push(
      `The table of confidence was fitted for ${table.model}, and ${state.solvedBy ?? 'another model'} answered: no confidence is given.`,
    );
    return { signals };
  }
  const value = confidenceOf(table, signals);
  return { signals, confidence: { value, from: 'table' }, sure: table.sureFrom !== null && value >= table.sureFrom };
}

/** How many of ten would differ, as the model sees it: each step counts by itself. */
function disagreement(agree: NonNullable<AutoState['wouldAgree']>): AnswerSignals {
  const differ = ['ten', 'nine', 'eight', 'fewer'].indexOf(agree);
  return {
    oneWouldDiffer: Number(differ >= 1),
    twoWouldDiffer: Number(differ >= 2),
    moreWouldDiffer: Number(differ >= 3),
  };
}
