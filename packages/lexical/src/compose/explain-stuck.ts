import type { RelationId } from '@askema/core';
import type { LinkedCatalog } from '../link/lattice.ts';
import type { Stuck } from './assign.ts';
import { candidatesOf } from './candidates.ts';
import type { Slot } from './slots.ts';

/** Why nothing of the schema fits a piece of the question, as a sentence that holds of the schema. */
export function explainStuck({ slot, parent }: Stuck, linked: LinkedCatalog): string {
  const word = wordOf(slot);
  const name = (relation: RelationId): string => linked.index.relation(relation)?.name ?? '';
  if (parent === undefined) return `No table or column was found for '${word}'.`;
  const home = name(parent.anchor);
  if (slot.kind === 'dimension') return `No column was found that says '${word}' of ${home}.`;
  if (slot.kind === 'time') return `No date or time column of ${home} was found for '${word}'.`;
  const [elsewhere] = candidatesOf({ ...slot, parent: undefined }, undefined, linked);
  if (elsewhere === undefined) return `No column was found for '${word}' that fits what the question asks of ${home}.`;
  const ends = `${home} and ${name(elsewhere.at)}`;
  if (!linked.graph.isConnected(parent.anchor, elsewhere.at))
    return `'${word}' is in ${name(elsewhere.at)}, and no key connects ${ends}.`;
  if (linked.graph.distance(parent.anchor, elsewhere.at) === undefined)
    return `'${word}' is in ${name(elsewhere.at)}, and the way along keys between ${ends} is too long for this solver.`;
  return `It is not clear how '${word}' belongs to ${home}.`;
}

function wordOf(slot: Slot): string {
  switch (slot.kind) {
    case 'phrase':
      return slot.head.text;
    case 'cell':
      return slot.operand.mention.text;
    case 'dimension':
      return slot.dimension.word;
    case 'time':
      return slot.text;
    case 'verb':
      return slot.verb.text;
  }
}
