import stringWidth from 'string-width';
import { cutLabels, cutText, wrapText } from '../data/cut-labels.ts';

/** The text cut or filled to so many columns of a terminal; wide characters take two. */
export function columnsOf(text: string, width: number, side: 'left' | 'right' = 'left', cut = '…'): string {
  const kept = cutText(text, stringWidth, width, cut);
  const blanks = ' '.repeat(Math.max(0, width - stringWidth(kept)));
  return side === 'left' ? `${kept}${blanks}` : `${blanks}${kept}`;
}

/** The columns of the widest. */
export function widestOf(texts: readonly string[], most: number): number {
  return Math.min(
    most,
    texts.reduce((widest, text) => Math.max(widest, stringWidth(text)), 0),
  );
}

/** Labels cut to so many columns, so that different ones stay different. */
export function labelsOf(labels: readonly string[], width: number, cut: string): readonly string[] {
  return cutLabels(labels, stringWidth, width, cut);
}

/** The text on as many lines as it takes. */
export function wrapped(text: string, width: number): readonly string[] {
  return wrapText(text, stringWidth, width);
}
