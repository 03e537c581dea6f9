import stringWidth from 'string-width';
import { cutLabels, cutText, wrapText } from '../data/cut-labels.ts';

/** Of a sans serif font, in parts of its size: a column of a terminal, wide scripts two. On the safe side. */
const COLUMN = 0.58;
const CAPITAL = 0.14;

/** How wide a text is about, in pixels. No font is at hand to measure with. */
export function textWidth(text: string, size: number): number {
  const capitals = text.match(/[A-Z@%MW&]/g)?.length ?? 0;
  return (stringWidth(text) * COLUMN + capitals * CAPITAL) * size;
}

/** Bold letters are wider. */
export const BOLD = 1.2;

/** The text on at most so many lines. */
export function linesOf(text: string, size: number, width: number, most: number): readonly string[] {
  return wrapText(text, (each) => textWidth(each, size), width, most);
}

/** The text cut to a width, with `…` where something is missing. */
export function fitText(text: string, size: number, width: number): string {
  return cutText(text, (each) => textWidth(each, size), width);
}

/** Labels cut to a width so that different ones stay different. */
export function fitLabels(labels: readonly string[], size: number, width: number): readonly string[] {
  return cutLabels(labels, (each) => textWidth(each, size), width);
}
