import { describe, expect, test } from 'vitest';
import { timeReaderOf } from './time-forms.ts';

const read = (name: string, texts: readonly string[]): unknown => {
  const reader = timeReaderOf(name, texts);
  return reader && texts.map((text) => new Date(reader(text)?.at ?? Number.NaN).toISOString().slice(0, 10));
};

describe('a column is time in one form', () => {
  test.each<[string, string[], string[]]>([
    ['month', ['2024-01', '2024-12'], ['2024-01-01', '2024-12-01']],
    ['week', ['2024-01', '2024-12'], ['2024-01-01', '2024-03-18']],
    ["strftime('%Y-%W', at)", ['2023-00', '2023-01', '2023-52'], ['2023-01-01', '2023-01-02', '2023-12-25']],
    ['quarter', ['2024-1', '2024-4'], ['2024-01-01', '2024-10-01']],
    ['label', ['01/2023', '12/2022'], ['2023-01-01', '2022-12-01']],
    ['yearmonth', ['202309', '202402'], ['2023-09-01', '2024-02-01']],
    ['tag', ['31.03.2024', '01.04.2024'], ['2024-03-31', '2024-04-01']],
    ['d', ['03/04/2024', '13/04/2024'], ['2024-04-03', '2024-04-13']],
    ['d', ['03/04/2024', '03/14/2024'], ['2024-03-04', '2024-03-14']],
    ["strftime('%m/%d/%Y', at)", ['03/04/2024', '03/05/2024'], ['2024-03-04', '2024-03-05']],
    ['order_date', ['20240229', '20240301'], ['2024-02-29', '2024-03-01']],
    ['m', ['Jun 2023', 'April 2024'], ['2023-06-01', '2024-04-01']],
    ['d', ['12 Jun 2023', '1 Apr 2024'], ['2023-06-12', '2024-04-01']],
    ['d', ['June 12, 2023', 'Apr 1, 2024'], ['2023-06-12', '2024-04-01']],
    ['w', ['2023-W00', '2023-W01'], ['2023-01-01', '2023-01-02']],
  ])('%s %j', (name, texts, days) => expect(read(name, texts)).toEqual(days));

  test.each<[string, string[]]>([
    ['d', ['03/04/2024', '05/06/2024']],
    ['season', ['2008-09', '2009-10']],
    ['label', ['Jun-23', 'Jul-24']],
    ['label', ['202309', '202402']],
    ['label', ['2024-01', '2024-45']],
    ['month', ['2024-01', 'total']],
    ['d', ['31.02.2024']],
    ['d', ['03.04.2024', '04/05/2024']],
  ])('but not where it may be another, or is not one: %s %j', (name, texts) =>
    expect(read(name, texts)).toBeUndefined(),
  );
});
