import type { Positions } from '../source/positions.ts';
import { at, text } from '../tree/json-node.ts';
import type { TreeName } from '../tree/tree.ts';

/** Where the text that was parsed begins in the source, and its lines. */
export interface Place {
  readonly base: number;
  readonly positions: Positions;
}

/** An identifier with its beginning in the source; spans of `0:0` mean that the parser does not know. */
export function convertName(node: unknown, place: Place): TreeName {
  const line = at(node, 'span', 'start', 'line');
  const column = at(node, 'span', 'start', 'column');
  const known = typeof line === 'number' && typeof column === 'number' && line > 0;
  const offset = known ? place.positions.offsetOf(line, column) : undefined;
  return { text: text(at(node, 'value')) ?? '', at: offset === undefined ? undefined : offset + place.base };
}
