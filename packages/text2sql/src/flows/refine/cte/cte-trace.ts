import type { CallEvent } from '@askema/core';
import type { CteTraceEntry, RefineThreadState } from '../state/refine-state.ts';

/** Characters of a problem in an event: events are small, the trace in the state holds it whole. */
const MAX_PROBLEM_CHARACTERS = 300;

/** The trace with more said of its last entry: the step that was looked at last. */
export function settleLast(
  trace: readonly CteTraceEntry[],
  said: Partial<Pick<CteTraceEntry, 'verdict' | 'problem' | 'rewrite' | 'probes'>>,
): CteTraceEntry[] {
  const last = trace.at(-1);
  return last === undefined ? [] : [...trace.slice(0, -1), { ...last, ...said }];
}

/** What listeners are told of a step: names and numbers, neither SQL nor rows. */
export function cteEvent(
  step: { readonly name: string; readonly number: number; readonly of: number },
  data: {
    readonly rows?: number | null | undefined;
    readonly distinctRows?: number | undefined;
    readonly verdict?: string | undefined;
    readonly problem?: string | undefined;
  },
): CallEvent {
  const { problem, ...rest } = data;
  const said = problem === undefined || problem === '' ? {} : { problem: problem.slice(0, MAX_PROBLEM_CHARACTERS) };
  const known = Object.fromEntries(Object.entries({ ...rest, ...said }).filter(([, value]) => value !== undefined));
  return { type: 'cte', data: { cte: step.name, number: step.number, of: step.of, ...known } };
}

/**
 * The trace as text, one line a step: what was looked at, what was found, what was changed. For people; `cteTrace` of a
 * thread holds it as data.
 */
export function cteTraceText(trace: readonly CteTraceEntry[]): string {
  return trace
    .map(({ round, cte, rows, distinctRows, error, verdict, problem, rewrite }) => {
      const repeated = rows !== null && distinctRows !== undefined && distinctRows < rows;
      const gave =
        error !== undefined
          ? `failed: ${oneLine(error.message)}`
          : `${rows ?? 'uncounted'} rows${repeated ? `, ${distinctRows} distinct` : ''}`;
      const found = problem === undefined || problem === '' ? '' : `: ${oneLine(problem)}`;
      const mended = rewrite === undefined || rewrite.cte === cte ? '' : ` (changed: ${oneLine(rewrite.cte)})`;
      return `${round}. ${oneLine(cte)}: ${gave}; ${verdict}${mended}${found}`;
    })
    .join('\n');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** True while the stage may call the model once more. */
export function mayAsk({ cte, plan }: Pick<RefineThreadState, 'cte' | 'plan'>): boolean {
  return (cte?.calls ?? 0) < plan.limits.maxCteCalls;
}

/** True while the step at this position may be written anew. */
export function mayRewrite({ cte, plan }: Pick<RefineThreadState, 'cte' | 'plan'>, position: number): boolean {
  return (cte?.rewrites[position] ?? 0) < plan.limits.maxCteRewrites;
}

/** No answer: the limits are reached, or nothing usable came. The trace says what was found until then. */
export function giveUp(state: RefineThreadState, problem?: string): 'unresolved' {
  if (problem !== undefined) state.cteTrace = settleLast(state.cteTrace, { verdict: 'wrong', problem });
  // What broke the refinement off says more.
  if (state.ending?.type !== 'failed') state.ending = { type: 'exhausted', reason: 'cte' };
  return 'unresolved';
}

/** The result of the last attempt is the answer of the thread. */
export function answerByCte(state: RefineThreadState): 'answered' {
  state.cteTrace = settleLast(state.cteTrace, { verdict: 'ok' });
  state.sql = state.cte?.sql ?? state.sql;
  state.ending = { type: 'answered', by: 'cte', attempt: state.attempts.length - 1 };
  return 'answered';
}
