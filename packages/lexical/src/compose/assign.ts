import type { LinkedCatalog } from '../link/lattice.ts';
import { type Candidate, candidatesOf } from './candidates.ts';
import type { Slot } from './slots.ts';

/** A denotation for every slot. */
export interface Assignment {
  readonly choices: ReadonlyMap<object, Candidate>;
  readonly cost: number;
}

/** A slot that nothing of the schema fits, and the likeliest denotation of what it belongs to. */
export interface Stuck {
  readonly slot: Slot;
  readonly parent: Candidate | undefined;
}

/** Assignments that are kept, and how much dearer than the cheapest one they may be. */
const MAX_ASSIGNMENTS = 24;
const MAX_EXTRA_COST = 0.6;
const BEAM = 60;

/**
 * Chooses denotations for all slots, parents first, with a beam search: the cost of an assignment is the sum over its
 * slots of how far the words are from the name and how far the name is from its parent in the schema. Cheapest first.
 *
 * @returns the assignments, or the slot for which there was none.
 */
export function assign(
  slots: readonly Slot[],
  linked: LinkedCatalog,
): { readonly assignments: readonly Assignment[]; readonly stuck?: Stuck | undefined } {
  let beam: Assignment[] = [{ choices: new Map(), cost: 0 }];
  for (const slot of slots) {
    const next: Assignment[] = [];
    // Many assignments agree on the parent.
    const byParent = new Map<Candidate | undefined, readonly Candidate[]>();
    for (const partial of beam) {
      const parent = slot.parent === undefined ? undefined : partial.choices.get(slot.parent.key);
      const candidates = byParent.get(parent) ?? candidatesOf(slot, parent, linked);
      byParent.set(parent, candidates);
      for (const candidate of candidates) {
        next.push({ choices: new Map(partial.choices).set(slot.key, candidate), cost: partial.cost + candidate.cost });
      }
    }
    if (next.length === 0) return { assignments: [], stuck: { slot, parent: [...byParent.keys()][0] } };
    beam = cheapest(next, BEAM);
  }
  return { assignments: cheapest(beam, MAX_ASSIGNMENTS) };
}

function cheapest(assignments: Assignment[], limit: number): Assignment[] {
  const sorted = assignments.sort((a, b) => a.cost - b.cost);
  const bound = (sorted[0]?.cost ?? 0) + MAX_EXTRA_COST;
  return sorted.slice(0, limit).filter(({ cost }) => cost <= bound);
}
