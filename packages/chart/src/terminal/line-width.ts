import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The text cut or filled to so many columns of a terminal; wide characters take two. */
export function columnsOf(text: string, width: number, side: 'left' | 'right' = 'left', cut = '…'): string {
  let kept = text;
  if (stringWidth(text) > width) {
    kept = '';
    for (const { segment } of segmenter.segment(text)) {
      if (stringWidth(kept) + stringWidth(segment) + stringWidth(cut) > width) break;
      kept += segment;
    }
    kept += cut;
  }
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
