import { createCallContext, type Outcome, toAskemaError } from '@askema/core';
import { type CallCost, costOfError, NO_COST } from '../question/call-cost.ts';
import { summarize } from '../summary/summarize.ts';
import type { Summary } from '../summary/summary.ts';
import { ANSWER_SUMMARY_TASK_ID } from '../summary/tasks/answer-summary.ts';
import type { Turn, Understood } from './conversation-options.ts';
import { turnPath } from './kept-entries.ts';
import { stepEvents } from './step-events.ts';
import { type BegunTurn, runIdOf, type TurnTools } from './turn-tools.ts';

type Told = Pick<Turn, 'summary' | 'summaryRefused'> & { readonly spent: CallCost };

/**
 * Tells the results of a turn in prose, where that is wanted and somebody can. No journal gets it, nor the calls: they
 * hold values. Never rejects: the rows are there without it.
 */
export async function summarizeTurn(
  { kind, question }: Understood,
  { outcome, outcomes = [outcome] }: Pick<Turn, 'outcome' | 'outcomes'>,
  begun: BegunTurn,
  { solver, tenant, clock, onEvent }: TurnTools,
): Promise<Told> {
  const { turn, given } = begun;
  const { summarize: wanted = 'explain', signal, tags = {} } = given;
  const nothing = { spent: NO_COST };
  if (wanted === 'never' || (wanted === 'explain' && kind !== 'explain')) return nothing;
  const answered = outcomes.flatMap((one, position) =>
    one?.type === 'answered' ? [{ ...partOf(one), position }] : [],
  );
  if (answered.length === 0 || !solver.supports(ANSWER_SUMMARY_TASK_ID)) return nothing;
  const place = { runId: runIdOf(begun), path: turnPath(turn.turn, 'summary') };
  const events = stepEvents('summarize', { ...place, turn: turn.turn }, clock, [onEvent, given.onEvent]);
  events.started();
  try {
    const context = createCallContext({ ...place, tags, tenant, signal, emit: events.call });
    const said = { question: question ?? turn.message, parts: answered };
    const { summary, refused, usage, calls } = await summarize(said, solver, context);
    events.finished(summary === undefined ? 'refused' : 'told');
    const spent = { usage, calls };
    if (summary === undefined) return { summaryRefused: refused, spent };
    const positions = answered.map(({ position }) => position);
    return { summary: citing(summary, positions), spent };
  } catch (thrown) {
    const error = toAskemaError(thrown);
    events.failed(error.toJSON());
    return { summaryRefused: error.message, spent: costOfError(error) };
  }
}

function partOf({ question, result }: Extract<Outcome, { readonly type: 'answered' }>) {
  return { question, result };
}

/** The summary has seen the answered ones alone; the turn has all. */
function citing({ text, citations }: Summary, positions: readonly number[]): Summary {
  return {
    text,
    citations: citations.map((citation) => ({
      ...citation,
      cells: citation.cells.map((cell) => ({ ...cell, part: positions[cell.part] ?? cell.part })),
    })),
  };
}
