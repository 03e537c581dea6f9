import { AskemaError } from '@askema/core';
import { NO_COST, sumCosts } from '../question/call-cost.ts';
import type { ExplainedPart, KeptTurn } from './conversation-options.ts';
import type { KeptEvent } from './kept-entries.ts';

/** A conversation at one moment: what its journal adds up to. */
export interface ConversationState {
  /** All turns, undone ones too. */
  readonly turns: ReadonlyMap<number, StoredTurn>;
  /** The turn that the next message follows; 0 at the beginning. */
  readonly head: number;
}

/** A turn with what its end has to know. */
export interface StoredTurn extends KeptTurn {
  readonly isAnswer: boolean;
  /** Of an explanation: what its finished questions gave, by their number. */
  readonly parts?: ReadonlyMap<number, ExplainedPart['answer']> | undefined;
}

/** What the events of a journal add up to. */
export function stateOf(events: readonly KeptEvent[]): ConversationState {
  const turns = new Map<number, StoredTurn>();
  let head = 0;
  const change = (turn: number, more: Partial<StoredTurn>): void => {
    const before = turns.get(turn);
    if (before !== undefined) turns.set(turn, { ...before, ...more });
  };
  for (const event of events) {
    if (event.type === 'moved') head = event.to;
    else if (event.type === 'said') {
      const { type: _, schemaVersion: _version, ...said } = event;
      turns.set(event.turn, { ...said, answer: { type: 'open' }, usage: {}, calls: 0 });
      head = event.turn;
    } else {
      const before = turns.get(event.turn);
      const spent = sumCosts(before ?? NO_COST, event);
      if (event.type === 'understood') change(event.turn, { understood: event.understood, ...spent });
      else if (event.type === 'part') {
        const parts = new Map(before?.parts).set(event.part, event.answer);
        change(event.turn, { parts, ...spent });
      } else {
        change(event.turn, { answer: event.answer, ...spent });
        // A statement of a person's that gave nothing is nothing to go on from.
        const isEdit = before?.understood?.kind === 'edit';
        if (isEdit && event.answer.type !== 'answered' && head === event.turn) head = before.after;
      }
    }
  }
  return { turns, head };
}

/** The turns that lead to a turn, oldest first, with itself. */
export function pathTo({ turns }: ConversationState, turn: number): readonly StoredTurn[] {
  const path: StoredTurn[] = [];
  // A journal that somebody wrote by hand may lead in a circle: a turn follows an earlier one.
  for (let at = turns.get(turn); at !== undefined; at = at.after < at.turn ? turns.get(at.after) : undefined)
    path.push(at);
  return path.reverse();
}

/** @throws AskemaError `INPUT_INVALID` where there is no such turn that has ended. */
export function existingTurn({ turns }: ConversationState, turn: number): KeptTurn | undefined {
  const found = turns.get(turn);
  if (turn === 0) return undefined;
  if (found !== undefined && found.answer.type !== 'open') return shownTurn(found);
  const last = turns.size === 0 ? 'it has none yet' : `it has 1 to ${turns.size}`;
  throw new AskemaError('INPUT_INVALID', `The conversation has no turn ${turn} that has ended; ${last}.`);
}

/** What a caller sees of a turn. */
export function shownTurn({ isAnswer: _, parts: _parts, ...turn }: StoredTurn): KeptTurn {
  return turn;
}
