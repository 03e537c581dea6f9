/**
 * The first characters of a text, with `…` behind them where it is longer. Never half a pair of surrogates, which
 * providers refuse.
 */
export function cutText(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A text without line breaks: data must not begin a line of its own. `mark` stands where lines ended. */
export function onOneLine(text: string, mark = ' '): string {
  return text.replace(/[\r\n\u2028\u2029]+/g, mark);
}
