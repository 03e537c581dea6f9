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

/**
 * Turns a line and column into an offset. Lines end with a line feed alone, so a carriage return is the last column of
 * its line; a tab is one column; a column counts code points, of which those beyond U+FFFF are two UTF-16 code units
 * (that is how sqlparser-rs counts).
 */
interface Positions {
  /** @param line from 1. @param column from 1. Undefined outside of the text. */
  offsetOf(line: number, column: number): number | undefined;
}

export function makePositions(text: string): Positions {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  starts.push(text.length + 1);
  /** Per line: offsets of the second halves of surrogate pairs, or undefined before it was asked for. */
  const pairs: (readonly number[] | undefined)[] = [];
  const pairsOf = (line: number, from: number, to: number): readonly number[] => {
    const known = pairs[line];
    if (known !== undefined) return known;
    const found: number[] = [];
    for (let at = from; at < to; at++) if (text.charCodeAt(at) >= 0xd800 && isPair(text, at)) found.push(++at);
    pairs[line] = found;
    return found;
  };
  return {
    offsetOf(line, column) {
      const from = starts[line - 1];
      const to = starts[line];
      if (from === undefined || to === undefined || column < 1) return undefined;
      let offset = from + column - 1;
      for (const second of pairsOf(line - 1, from, to)) {
        if (second > offset) break;
        offset++;
      }
      return offset <= text.length && offset <= to ? offset : undefined;
    },
  };
}

function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff;
}
