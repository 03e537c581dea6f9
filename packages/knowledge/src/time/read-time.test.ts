import { describe, expect, it } from 'vitest';
import { wordsOf } from '../words/words-of.ts';
import type { Clock } from './read-period.ts';
import { readTime } from './read-time.ts';

const clock: Clock = {
  today: '2024-05-15',
  calendar: { yearStart: 1, weekStart: 'monday' },
  fiscal: { yearStart: 7, weekStart: 'monday' },
};

/** The limits of a text that is read whole: `from..to`, `to` being the day behind the last. */
function limits(text: string, at = clock): string | undefined {
  const words = wordsOf(text);
  const time = readTime(words, 0, at);
  return time?.end === words.length ? `${time.range.from ?? ''}..${time.range.to ?? ''}` : undefined;
}

describe('readTime', () => {
  it.each([
    ['in 2023', '2023-01-01..2024-01-01'],
    ['2023', '2023-01-01..2024-01-01'],
    ["last year's", '2023-01-01..2024-01-01'],
    ['in March 2024', '2024-03-01..2024-04-01'],
    ['in December of 2023', '2023-12-01..2024-01-01'],
    ['in Q1 2024', '2024-01-01..2024-04-01'],
    ['2023 Q4', '2023-10-01..2024-01-01'],
    ['in the first quarter of 2024', '2024-01-01..2024-04-01'],
    ['in the last quarter of 2023', '2023-10-01..2024-01-01'],
    ['in the second half of last year', '2023-07-01..2024-01-01'],
    ['last quarter', '2024-01-01..2024-04-01'],
    ['last month', '2024-04-01..2024-05-01'],
    ['this week', '2024-05-13..2024-05-20'],
    ['yesterday', '2024-05-14..2024-05-15'],
    ['over the last 30 days', '2024-04-16..2024-05-16'],
    ['in the past three months', '2024-02-01..2024-05-01'],
    ['year to date', '2024-01-01..2024-05-16'],
    ['so far this month', '2024-05-01..2024-05-16'],
    ['ytd', '2024-01-01..2024-05-16'],
    ['since May', '2024-05-01..'],
    ['since June', '2023-06-01..'],
    ['since 2024-02-29', '2024-02-29..'],
    ['after March 2024', '2024-04-01..'],
    ['before 2024', '..2024-01-01'],
    ['between March and May 2023', '2023-03-01..2023-06-01'],
    ['from 2022 to 2023', '2022-01-01..2024-01-01'],
    ['from January 2024 onwards', '2024-01-01..'],
    ['between 2024-01-01 and 2024-01-31', '2024-01-01..2024-02-01'],
    ['on March 5th, 2024', '2024-03-05..2024-03-06'],
    ['in fiscal year 2024', '2023-07-01..2024-07-01'],
    ['in FY24', '2023-07-01..2024-07-01'],
    ['this fiscal year', '2023-07-01..2024-07-01'],
    ['in Q1 FY2024', '2023-07-01..2023-10-01'],
    ['in the second quarter of fiscal year 2024', '2023-10-01..2024-01-01'],
    ['last fiscal quarter', '2024-01-01..2024-04-01'],
  ])('%s: %s', (text, expected) => {
    expect(limits(text)).toBe(expected);
  });

  it.each([
    'until May',
    'from March 2024',
    'in the past month',
    'May',
    'between May and March 2024',
    'in the third half of 2024',
    'on 2023-02-29',
    'next year',
    'in 1500',
  ])('leaves what can mean several things or nothing: %s', (text) => {
    expect(limits(text)).toBeUndefined();
  });

  it('has no fiscal years where nobody says when they begin', () => {
    expect(limits('in fiscal year 2024', { ...clock, fiscal: undefined })).toBeUndefined();
  });

  it('begins weeks on the day that the settings name', () => {
    const sundays = { ...clock, calendar: { ...clock.calendar, weekStart: 'sunday' as const } };
    expect(limits('last week', sundays)).toBe('2024-05-05..2024-05-12');
  });
});
