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
