import type { LexerTraits } from '@askema/core';
import { significantTokens } from '@askema/sql';
import { readPeriod } from '../time/read-period.ts';
import { wordsOf } from '../words/words-of.ts';

const CALENDAR = { yearStart: 1, weekStart: 'monday' } as const;
const FISCAL = { yearStart: 4, weekStart: 'monday' } as const;
/** Two days that share no period with each other, and no place within one. */
const DAYS = ['2024-02-14', '2031-09-27'] as const;
/** What the reader of periods does not take for one. */
const WORDS: ReadonlySet<string> = new Set(
  `now today tomorrow yesterday tonight ago recent recently lately current currently upcoming next past previous trailing
  rolling running latest newest weekend monday tuesday wednesday thursday friday saturday sunday`.split(/\s+/),
);

/** Without a year. */
const QUARTER = /^q[1-4]$/;

/** The words of a question that mean other days on another day: `last month`, `May` without a year; undefined without. */
export function relativeTimeIn(question: string): string | undefined {
  const words = wordsOf(question);
  for (const [at, word] of words.entries()) {
    const [one, other] = DAYS.map((today) => readPeriod(words, at, { today, calendar: CALENDAR, fiscal: FISCAL }));
    const isMoved = JSON.stringify(one?.range) !== JSON.stringify(other?.range);
    const isLoose = WORDS.has(word.lower) || (one === undefined && QUARTER.test(word.lower));
    if (!isMoved && !isLoose) continue;
    return question.slice(word.start, words[Math.max(at, (one?.end ?? 0) - 1)]?.end);
  }
  return undefined;
}

/**
 * A literal that may be a day, a week, a month or a year: digits in a text, a year, seconds since 1970, a small number
 * that something is compared with.
 */
export function holdsDate(sql: string, lexer: LexerTraits): boolean {
  return significantTokens(sql, lexer).some(({ kind, text }, at, tokens) => {
    if (kind === 'string') return /^\D*\d{1,2}\D*$|(?:19|20)\d\d/.test(text);
    if (kind !== 'number') return false;
    const isCompared = /[<>=]$|^(?:in|between)$/i.test(tokens[at - (tokens[at - 1]?.text === '(' ? 2 : 1)]?.text ?? '');
    return /^(?:19|20)\d\d$/.test(text) || Number(text) >= 1e8 || (isCompared && /^(?:[1-4]?\d|5[0-3])$/.test(text));
  });
}
