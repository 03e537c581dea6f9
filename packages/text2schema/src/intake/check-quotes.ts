import type { Clarification } from '../model/index.ts';

/**
 * Clarifications whose quotes stand in the requirement. A quote that does not is dropped; a contradiction that is left with fewer than two is an
 * ambiguity, because it cannot be shown. Blanks and quotation marks are not compared: models tidy them.
 */
export function checkQuotes(clarifications: readonly Clarification[], requirement: string): readonly Clarification[] {
  const text = fold(requirement);
  return clarifications.map((clarification) => {
    const quotes = distinct(clarification.quotes.filter((quote) => stands(fold(quote), text)));
    const isShown = clarification.kind !== 'contradiction' || quotes.length >= 2;
    return { ...clarification, kind: isShown ? clarification.kind : 'ambiguity', quotes };
  });
}

/** Shorter ones stand in every text, and show nothing. */
const MIN_CHARACTERS = 4;

function stands(quote: string, text: string): boolean {
  return quote.length >= MIN_CHARACTERS && text.includes(quote);
}

/** Without those that are a part of another one: two sides of a contradiction are two places. */
function distinct(quotes: readonly string[]): string[] {
  const folded = quotes.map(fold);
  return quotes.filter((_quote, at) =>
    folded.every(
      (other, index) => index === at || !other.includes(folded[at] ?? '') || (other === folded[at] && at < index),
    ),
  );
}

function fold(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\s"'`“”‘’「」『』«»]+/gu, '')
    .toLowerCase();
}
