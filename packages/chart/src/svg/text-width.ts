import stringWidth from 'string-width';

/** Of a sans serif font, in parts of its size: a column of a terminal, wide scripts two. On the safe side. */
const COLUMN = 0.58;
const CAPITAL = 0.14;

/** How wide a text is about, in pixels. No font is at hand to measure with. */
export function textWidth(text: string, size: number): number {
  const capitals = text.match(/[A-Z@%MW&]/g)?.length ?? 0;
  return (stringWidth(text) * COLUMN + capitals * CAPITAL) * size;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Bold letters are wider. */
export const BOLD = 1.2;

/** The text on at most so many lines, broken between words; the last is cut where there is more. */
export function wrapText(text: string, size: number, width: number, most: number): readonly string[] {
  const lines: string[] = [];
  let rest = text.trim();
  while (rest !== '' && lines.length < most) {
    const line = lines.length + 1 === most ? fitText(rest, size, width) : firstLine(rest, size, width);
    lines.push(line);
    rest = lines.length === most ? '' : rest.slice(line.length).trim();
  }
  return lines;
}

function firstLine(text: string, size: number, width: number): string {
  const words = text.split(' ');
  let line = words[0] ?? '';
  // A word that is longer than a line is left to the last line, which cuts it.
  for (const word of words.slice(1)) {
    if (textWidth(`${line} ${word}`, size) > width) break;
    line = `${line} ${word}`;
  }
  return line;
}

/** The text cut to a width, with `…` where something is missing. No character is cut in two. */
export function fitText(text: string, size: number, width: number): string {
  if (textWidth(text, size) <= width) return text;
  let kept = '';
  for (const { segment } of segmenter.segment(text)) {
    if (textWidth(`${kept}${segment}…`, size) > width) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
