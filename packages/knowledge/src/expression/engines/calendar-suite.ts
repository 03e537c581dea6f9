import { type CalendarTraits, type CalendarUnit, castType, type Dialect } from '@askema/core';
import { expect, test } from 'vitest';
import { fill } from '../writer.ts';

/** For tests: the cells of a statement as text, booleans as 1 and 0. */
export type RunStatement = (sql: string) => Promise<readonly (readonly (string | null)[])[]>;

const UNITS: readonly CalendarUnit[] = ['day', 'week', 'month', 'quarter', 'year'];

/** Ends of months, leap days, turns of years in weeks of both, quarters, and days that nothing is special about. */
const DAYS = [
  '2023-01-01 2023-12-31 2024-01-01 2024-01-31 2024-02-28 2024-02-29 2024-03-01 2024-03-31 2024-04-30 2024-08-31',
  '2024-12-29 2024-12-30 2025-01-05 2025-01-06 2000-02-29 1999-12-31 2021-01-03 2020-12-28 1970-01-01 2037-07-14',
].flatMap((line) => line.split(' '));
const COUNTS = [-13, -4, -1, 0, 1, 2, 12, 25];

/**
 * For tests: each template of a calendar gives what the calendar of JavaScript gives.
 *
 * @param unlike units that a stand-in cannot cut to.
 */
export function itComputesDays(dialect: Dialect, run: () => RunStatement, unlike: readonly CalendarUnit[] = []): void {
  const calendar = dialect.calendar as CalendarTraits;
  const text = (day: string): string => `CAST(${day} AS ${castType('TEXT', dialect)})`;
  const literal = (day: string): string => fill(calendar.literal, { text: `'${day}'` });
  const rows = (): string =>
    DAYS.map((day, at) => `SELECT ${at} AS n, ${literal(day)} AS d, ${COUNTS[at % COUNTS.length]} AS k`).join(
      ' UNION ALL ',
    );
  const perDay = async (expression: string): Promise<(string | null)[]> => {
    const answer = await run()(`SELECT n, ${expression} FROM (${rows()}) AS days ORDER BY n`);
    return answer.map(([, cell]) => cell ?? null);
  };

  test.each(UNITS.filter((unit) => !unlike.includes(unit)))('the first day of a %s', async (unit) => {
    const found = await perDay(text(fill(calendar.truncate[unit], { day: 'd' })));
    expect(found).toEqual(DAYS.map((day) => truncated(day, unit)));
  });

  test.each(UNITS)('days moved by a %s stay within their month', async (unit) => {
    const found = await perDay(text(fill(calendar.add[unit], { day: 'd', count: 'k' })));
    expect(found).toEqual(DAYS.map((day, at) => moved(day, COUNTS[at % COUNTS.length] ?? 0, unit)));
    const back = await perDay(text(fill(calendar.add[unit], { day: 'd', count: '-3' })));
    expect(back).toEqual(DAYS.map((day) => moved(day, -3, unit)));
  });

  test('days between two days, in both directions', async () => {
    const found = await perDay(fill(calendar.daysBetween, { from: literal('2024-02-28'), to: 'd' }));
    expect(found.map(Number)).toEqual(DAYS.map((day) => dayNumber(day) - dayNumber('2024-02-28')));
  });

  test.each(UNITS)('a series of a %s, also of one and of none', async (unit) => {
    const first = truncated('2023-11-15', unit);
    const series = async (from: string, to: string): Promise<unknown[]> => {
      const sql = fill(calendar.series, { first: from, last: to, step: calendar.steps[unit] });
      const answer = await run()(`SELECT ${text('period')} AS p FROM (${sql}) AS periods ORDER BY p`);
      return answer.map(([cell]) => cell);
    };
    const expected: string[] = [];
    for (let day = first; day <= '2026-01-01'; day = moved(day, 1, unit)) expected.push(day);
    expect(await series(literal(first), literal('2026-01-01'))).toEqual(expected);
    expect(await series(literal(first), literal(first))).toEqual([first]);
    expect(await series(literal('2024-01-01'), literal('2023-01-01'))).toEqual([]);
    const none = fill(calendar.toDay, { value: 'NULL' });
    expect(await series(none, none)).toEqual([]);
  });

  test('a series of ten years of days', async () => {
    const sql = fill(calendar.series, {
      first: literal('2015-01-01'),
      last: literal('2024-12-31'),
      step: calendar.steps.day,
    });
    expect((await run()(`SELECT COUNT(*) FROM (${sql}) AS periods`))[0]?.map(Number)).toEqual([3_653]);
  });
}

const DAY = 86_400_000;

function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY;
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function truncated(day: string, unit: CalendarUnit): string {
  const date = new Date(`${day}T00:00:00Z`);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (unit === 'day') return day;
  if (unit === 'week') return dayOf(date.getTime() - ((date.getUTCDay() + 6) % 7) * DAY);
  if (unit === 'month') return dayOf(Date.UTC(year, month, 1));
  return dayOf(Date.UTC(year, unit === 'quarter' ? month - (month % 3) : 0, 1));
}

function moved(day: string, count: number, unit: CalendarUnit): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (unit === 'day' || unit === 'week') return dayOf(date.getTime() + count * (unit === 'week' ? 7 : 1) * DAY);
  const months = count * { month: 1, quarter: 3, year: 12 }[unit];
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return dayOf(Date.UTC(year, month, Math.min(date.getUTCDate(), last)));
}
