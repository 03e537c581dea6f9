import { describe, expect, it } from 'vitest';
import { readTime } from './read-time.ts';
import { tokenise } from './tokenise.ts';

const TODAY = '2024-03-31';

const read = (text: string, today = TODAY): string | undefined => {
  const tokens = tokenise(text);
  const time = readTime(tokens, 0, today);
  return time === undefined || time.end !== tokens.length ? undefined : `${time.span.start} ${time.span.end}`;
};

describe('readTime', () => {
  it.each([
    ['2019', '2019-01-01 2020-01-01'],
    ['2024-02-29', '2024-02-29 2024-03-01'],
    ['2024-02-29 10:30', '2024-02-29 10:30 2024-02-29 10:30'],
    ['December 2023', '2023-12-01 2024-01-01'],
    ['Feb 2024', '2024-02-01 2024-03-01'],
    ['March 5, 2014', '2014-03-05 2014-03-06'],
    ['March 5th 2014', '2014-03-05 2014-03-06'],
    ['5 March 2014', '2014-03-05 2014-03-06'],
    ['31st of December 2014', '2014-12-31 2015-01-01'],
    ['Q4 2022', '2022-10-01 2023-01-01'],
    ['the second quarter of 2022', '2022-04-01 2022-07-01'],
    ['the first half of 2022', '2022-01-01 2022-07-01'],
    ['H2 2022', '2022-07-01 2023-01-01'],
    ['the beginning of 2022', '2022-01-01 2022-01-02'],
    ['the end of Feb 2024', '2024-02-29 2024-03-01'],
    ['today', '2024-03-31 2024-04-01'],
    ['yesterday', '2024-03-30 2024-03-31'],
    ['this year', '2024-01-01 2025-01-01'],
    ['last month', '2024-02-01 2024-03-01'],
    ['last quarter', '2023-10-01 2024-01-01'],
    // The last day of March 2024 is a Sunday.
    ['this week', '2024-03-25 2024-04-01'],
    ['the last 30 days', '2024-03-01 2024-04-01'],
    ['the past 1 month', '2024-02-29 2024-04-01'],
    ['last two years', '2022-03-31 2024-04-01'],
  ])('%s', (text, span) => expect(read(text)).toBe(span));

  it.each(['3019', '19', '2014-13-45', '35 March 2014', 'May', 'last', 'the last 99999999 days', 'the last 0.5 days'])(
    'takes "%s" for no time',
    (text) => expect(read(text)).toBeUndefined(),
  );

  it('knows no relative times without a date for today', () => {
    expect(read('last month', '')).toBeUndefined();
    expect(read('2019', '')).toBe('2019-01-01 2020-01-01');
  });
});
