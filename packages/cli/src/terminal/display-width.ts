import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
let stringWidth: typeof import('string-width').default | undefined;
let segmenter: Intl.Segmenter | undefined;

/** Columns that the text takes on a terminal: East Asian wide characters and emoji take two. */
export function displayWidth(text: string): number {
  // Plain ASCII is as wide as it is long. The tables for all else take longer to load than Node.
  if (/^[ -~]*$/.test(text)) return text.length;
  stringWidth ??= (load('string-width') as typeof import('string-width')).default;
  return stringWidth(text, { countAnsiEscapeCodes: true });
}

/** The text cut to so many columns, with `…` at its end when something was cut. Never cuts inside a character. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let kept = '';
  let used = 0;
  for (const { segment } of segmenter.segment(text)) {
    const next = displayWidth(segment);
    if (used + next > width - 1) break;
    kept += segment;
    used += next;
  }
  return `${kept}…`;
}

/** The text filled up with blanks to so many columns. */
export function padToWidth(text: string, width: number, side: 'left' | 'right'): string {
  const blanks = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return side === 'left' ? `${text}${blanks}` : `${blanks}${text}`;
}
