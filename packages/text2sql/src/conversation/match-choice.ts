import type { KeptChoice } from './conversation-options.ts';

/** More words than this are a message by themselves. */
const MAX_WORDS = 8;

/**
 * The choice that a message means, where that needs no reading: its number, or words that stand in one choice alone.
 * Undefined for everything else, and for what is a question.
 */
export function matchChoice(message: string, choices: readonly KeptChoice[]): KeptChoice | undefined {
  const said = message.trim();
  const number = /^[#(]?\s*(\d{1,3})\s*[.)]?$/.exec(said)?.[1];
  if (number !== undefined) return choices.find(({ id }) => id === number);
  const exact = choices.find(({ id, meaning }) => id === said || meaning === said);
  if (exact !== undefined) return exact;
  const words = wordsOf(said);
  if (words.length === 0 || words.length > MAX_WORDS || /[?？؟]\s*$/u.test(said)) return undefined;
  const fitting = choices.filter(({ meaning }) => {
    const known = new Set(wordsOf(meaning));
    return words.every((word) => known.has(word));
  });
  return fitting.length === 1 ? fitting[0] : undefined;
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
