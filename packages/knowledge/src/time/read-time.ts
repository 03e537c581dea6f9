import type { Word } from '../words/words-of.ts';
import { monthsOfYear } from './days.ts';
import { type Clock, type Period, readPeriod } from './read-period.ts';

/** How the words in front of a period make limits of it. */
interface Opening {
  readonly words: RegExp;
  readonly limits: 'within' | 'since' | 'after' | 'before' | 'until' | 'between';
  /** A month may stand without a year. */
  readonly takesBareMonth: boolean;
}

const OPENINGS: readonly Opening[] = [
  { words: /^(?:in|during|for|within|over|throughout|of|on)(?= )/u, limits: 'within', takesBareMonth: true },
  { words: /^(?:since|starting(?: in| from| on)?|beginning(?: in| on)?)(?= )/u, limits: 'since', takesBareMonth: true },
  { words: /^after(?= )/u, limits: 'after', takesBareMonth: true },
  { words: /^before(?= )/u, limits: 'before', takesBareMonth: true },
  { words: /^(?:until|till|up to) (?:and including|the end of)(?= )/u, limits: 'until', takesBareMonth: true },
  { words: /^(?:in )?between(?= )/u, limits: 'between', takesBareMonth: true },
  { words: /^from(?= )/u, limits: 'between', takesBareMonth: true },
  { words: /^/u, limits: 'within', takesBareMonth: false },
  { words: /^/u, limits: 'between', takesBareMonth: true },
];

/**
 * A limit of time that begins with a word: "in March 2024", "since May", "between 2022 and 2023", "last year". The
 * longest that is understood; undefined for what can mean several things, such as "until May".
 */
export function readTime(words: readonly Word[], at: number, clock: Clock): Period | undefined {
  const text = words
    .slice(at, at + 4)
    .map(({ lower }) => lower)
    .join(' ');
  let best: Period | undefined;
  for (const opening of OPENINGS) {
    const match = opening.words.exec(text);
    if (match === null) continue;
    const start = at + (match[0] === '' ? 0 : match[0].split(' ').length);
    const found = readLimits(words, start, clock, opening, match[0]);
    if (found !== undefined && found.end > (best?.end ?? at)) best = found;
  }
  return best;
}

function readLimits(
  words: readonly Word[],
  start: number,
  clock: Clock,
  { limits, takesBareMonth }: Opening,
  opening: string,
): Period | undefined {
  const first = readPeriod(words, start, clock);
  if (first === undefined) return undefined;
  if (limits === 'between') return readSecond(words, first, clock, opening);
  if (first.bareMonth !== undefined && !takesBareMonth) return undefined;
  if (first.isLoose === true && /^(?:over|within)$/u.test(opening)) return undefined;
  const { from, to } = first.range;
  switch (limits) {
    case 'within':
      return first;
    case 'since':
      return { ...first, range: { from } };
    case 'after':
      return { ...first, range: { from: to } };
    case 'before':
      return { ...first, range: { to: from } };
    case 'until':
      return { ...first, range: { to } };
  }
}

/** Both ends belong to it: "between March and May 2024" ends with May. */
function readSecond(words: readonly Word[], first: Period, clock: Clock, opening: string): Period | undefined {
  const joint = words[first.end]?.lower ?? '';
  if (opening === 'from' && /^(?:on|onward|onwards)$/u.test(joint))
    return { ...first, range: { from: first.range.from }, end: first.end + 1 };
  const joints = opening.endsWith('between') ? ['and'] : ['to', 'through'];
  if (!joints.includes(joint)) return undefined;
  const second = readPeriod(words, first.end + 1, clock);
  if (second?.range.from === undefined || second.range.to === undefined) return undefined;
  // "January to March 2024": the year of the second is that of the first.
  if (first.bareMonth !== undefined && second.bareMonth === undefined) {
    const year = Number(second.range.from.slice(0, 4));
    const { from } = monthsOfYear(year, first.bareMonth, 1, clock.calendar);
    return from === undefined || from > second.range.from
      ? undefined
      : { ...second, range: { from, to: second.range.to } };
  }
  const { from } = first.range;
  if (from === undefined || from > second.range.from) return undefined;
  return { ...second, range: { from, to: second.range.to }, isFiscal: first.isFiscal === true || second.isFiscal };
}
