import { eastAsianWidth } from 'get-east-asian-width';

/**
 * How wide a text is in a monospaced font, in points. Graphviz has no fonts here and takes every character for a Latin one, so that it is told:
 * a Latin letter is 0.6 of the size in the usual fonts (0.602 in DejaVu Sans Mono, 0.6 in Courier New, 0.55 in Consolas), an East Asian wide one the
 * whole size, sometimes a little more where a fallback font is used. Combining marks have no width.
 */
export function textWidth(text: string, fontSize: number): number {
  let units = 0;
  for (const character of text) {
    if (/^[\p{Mn}\p{Me}\p{Cf}]$/u.test(character)) continue;
    units += eastAsianWidth(character.codePointAt(0) ?? 0) === 2 ? 1.05 : 0.61;
  }
  return Math.ceil(units * fontSize);
}

/** A text on one line that fits into so many columns (a wide character takes two), cut with an ellipsis. */
export function cutText(text: string, columns: number): string {
  let used = 0;
  let kept = '';
  for (const character of text) {
    const width = eastAsianWidth(character.codePointAt(0) ?? 0);
    if (used + width > columns) return `${kept}…`;
    used += width;
    kept += character;
  }
  return kept;
}
