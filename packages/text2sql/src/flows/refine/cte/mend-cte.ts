import { defineStep, type LexerTraits, type StepContext } from '@askema/core';
import { askOrUnusable, type TaskAnswer } from '../../../question/question-input.ts';
import { type CteWork, changedWork, countRewrite } from '../state/cte-work.ts';
import type { RefineThreadState } from '../state/refine-state.ts';
import type { StepSectionsInput } from '../tasks/cte-sections.ts';
import type { MendCteOutput } from '../tasks/mend-cte.ts';
import type { RefineDeps } from '../tasks/refine-tasks.ts';
import { promptInput, readThread, spendInThread, type ThreadInput } from '../thread/thread-input.ts';
import { type CteStatement, cteStatement, findStep, replaceStep, type Spliced } from './cte-statement.ts';
import { cteEvent, giveUp, mayAsk, mayRewrite, settleLast } from './cte-trace.ts';

/** What {@link mendCte} starts from. */
export interface MendCteStart extends ThreadInput {
  readonly work: CteWork | undefined;
}

/** A new text, with what it would change. */
export type MendedCte = TaskAnswer<Pick<MendCteOutput, 'problem'> & { readonly change: StepChange | null }>;

/**
 * Has the step at hand written anew: the database refused it, or it was found wrong without a new text that could be
 * used.
 */
export const mendCte = defineStep<RefineThreadState, RefineDeps>()({
  name: 'mend-cte',
  actions: ['look', 'mend', 'unresolved'],
  prep: (state): MendCteStart => ({ ...readThread(state), work: state.cte }),
  exec: (input, context): Promise<MendedCte> => mend(input, context),
  post: (state, _input, mended) => {
    spendInThread(state, mended.spent);
    if (state.cte === undefined) return giveUp(state);
    state.cte = { ...state.cte, calls: state.cte.calls + mended.spent.calls };
    if (mended.type === 'unusable') return giveUp(state);
    const { problem, change } = mended.value;
    // A mend that brings no text is its last word.
    return change === null ? giveUp(state, problem.trim()) : applyChange(state, change, problem.trim());
  },
});

async function mend(input: MendCteStart, context: StepContext<RefineDeps>): Promise<MendedCte> {
  const { deps } = context;
  const { work, thread } = input;
  const { lexer } = deps.adapter.dialect;
  const statement = cteStatement(work?.sql ?? '', lexer);
  const position = work?.position ?? 0;
  const asked = await askOrUnusable(async () => {
    const fault = work?.fault ?? { type: 'problem' as const, problem: '' };
    const task = { ...(await promptInput(input, context)), ...sectionsOf(statement, work, lexer), fault };
    return deps.own.solverOf('cte', thread).solve(deps.own.tasks.mendCte, task, context);
  });
  if (asked.type === 'unusable') return asked;
  const { problem, cte, body } = asked.value;
  const name = statement.steps[position]?.name ?? '';
  context.emit(cteEvent({ name, number: position + 1, of: statement.steps.length }, { verdict: 'mended', problem }));
  return { ...asked, value: { problem, change: proposeChange(statement, position, { cte, body }, lexer) } };
}

/** What a new text for a step would do, and to which step. */
export interface StepChange {
  readonly position: number;
  readonly name: string;
  readonly spliced: Spliced;
}

/**
 * What prompts show of a step: its text, what it reads, and what was wrong with it before. Empty where nothing was
 * written yet.
 */
export function sectionsOf(statement: CteStatement, work: CteWork | undefined, traits: LexerTraits): StepSectionsInput {
  if (work === undefined) return { step: { name: '', purpose: '', text: '' }, number: 1, of: 1, reads: [], notes: [] };
  const { position } = work;
  const purposes = new Map<number, string>();
  for (const { name, purpose } of work.purposes) {
    const at = findStep(statement, name, traits);
    if (at !== undefined) purposes.set(at, purpose);
  }
  const shown = (at: number) => {
    const { name = '', text = '' } = statement.steps[at] ?? {};
    return { name, text, purpose: purposes.get(at) ?? '' };
  };
  return {
    step: shown(position),
    number: position + 1,
    of: statement.steps.length,
    reads: (statement.steps[position]?.reads ?? [])
      .filter((at) => at < position)
      .map((at) => ({ ...shown(at), figures: work.looked[at]?.figures ?? '' })),
    notes: work.notes.filter((note) => note.position === position),
  };
}

/**
 * A new text for the step that the model names: the one at hand or one before it. Any other name means the one at hand.
 */
export function proposeChange(
  statement: CteStatement,
  position: number,
  written: { readonly cte: string; readonly body: string },
  traits: LexerTraits,
): StepChange | null {
  if (written.body.trim() === '') return null;
  const at = Math.min(findStep(statement, written.cte, traits) ?? position, position);
  return {
    position: at,
    name: statement.steps[at]?.name ?? '',
    spliced: replaceStep(statement, at, written.body, traits),
  };
}

/**
 * Takes a change over, and goes back to the step that changed. The same text again ends the stage, as does one that the
 * statement had before; a text that cannot stand in the step's place is told once more, as long as the limits allow.
 */
export function applyChange(
  state: RefineThreadState,
  change: StepChange | null,
  problem: string,
): 'look' | 'mend' | 'unresolved' {
  const work = state.cte;
  if (work === undefined) return giveUp(state);
  if (change === null) return askToMend(state, work, problem);
  const { position, name, spliced } = change;
  if (!mayRewrite(state, position)) return giveUp(state, problem);
  switch (spliced.type) {
    case 'same':
      return giveUp(state, `${problem} The same text was written again.`.trim());
    case 'invalid': {
      const rewrites = countRewrite(work, position);
      // Told where the step at hand is shown, whichever step the text was for.
      const note = { position: work.position, text: UNUSABLE, problem: spliced.reason };
      const noted = { ...work, rewrites, notes: [...work.notes, note] };
      return askToMend(state, noted, `${problem} A new text could not be used: ${spliced.reason}`.trim());
    }
    case 'spliced': {
      const { sql, from, to } = spliced;
      if (work.seen.includes(sql)) return giveUp(state, `${problem} An earlier statement was written again.`.trim());
      const rewrite = { cte: name, from, to };
      state.cteTrace = settleLast(state.cteTrace, { verdict: 'rewritten', problem, rewrite });
      state.cte = changedWork(work, position, sql, { text: from, problem });
      return 'look';
    }
  }
}

const UNUSABLE = '(a text that cannot stand in its place)';

function askToMend(state: RefineThreadState, work: CteWork, problem: string): 'mend' | 'unresolved' {
  const fault = work.fault ?? { type: 'problem' as const, problem };
  state.cte = { ...work, fault: fault.type === 'error' ? fault : { type: 'problem', problem } };
  return mayAsk(state) && mayRewrite(state, work.position) ? 'mend' : giveUp(state, problem);
}
