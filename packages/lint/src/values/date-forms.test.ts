import { describe, expect, test } from 'vitest';
import { hasTime, isDateText, isWrittenLike, nextDay, writtenOtherwise } from './date-forms.ts';

describe('isDateText', () => {
  test.each([
    '2024-03-01',
    '2024-3-1',
    '01/03/2024',
    'March 1, 2024',
    'march 2024',
    '1-Mar-2024',
    '2024-03-01 10:30:00',
  ])('%s is a date', (text) => expect(isDateText(text)).toBe(true));

  test.each([
    '20240301',
    '2024',
    '2024-13-01',
    '32/01/2024',
    '10:30',
    'May',
    'March',
    '1/2',
    '',
    `2024-03-01 ${'0:00'.repeat(20)}`,
  ])('%s is none', (text) => expect(isDateText(text)).toBe(false));
});

describe('writtenOtherwise', () => {
  test('has the usual forms of the day, and not the text itself', () => {
    const forms = writtenOtherwise('March 1, 2024');
    expect(forms).toEqual(expect.arrayContaining(['2024-03-01', '2024-3-1', '01/03/2024', '3/1/2024', '1 Mar 2024']));
    expect(forms).not.toContain('March 1, 2024');
    expect(forms).not.toContain('2024-03');
  });

  test('has both days where the order of day and month is open', () => {
    expect(writtenOtherwise('01/03/2024')).toEqual(expect.arrayContaining(['2024-03-01', '2024-01-03']));
    expect(writtenOtherwise('25/03/2024')).not.toContain('2024-25-03');
  });

  test('drops midnight, and is empty for other times', () => {
    expect(writtenOtherwise('2024-03-01 00:00:00')).toContain('2024-03-01');
    expect(writtenOtherwise('2024-03-01 10:30:00')).toEqual([]);
    expect(writtenOtherwise('Todd Casey')).toEqual([]);
  });
});

test('isWrittenLike: a form that all of the dates have', () => {
  expect(isWrittenLike('2024-3-1', ['2024-12-25', '2024-03-05'])).toBe(false);
  expect(isWrittenLike('3/1/2024', ['12/25/2023', '4/5/2024'])).toBe(true);
  expect(isWrittenLike('2024-03-01', ['2024-03-05 10:00:00'])).toBe(true);
  expect(isWrittenLike('2024-03-01', ['Monday', '2024-03-05'])).toBeUndefined();
});

test('nextDay: over the ends of months', () => {
  expect(nextDay('2024-02-28')).toBe('2024-02-29');
  expect(nextDay('2023-12-31')).toBe('2024-01-01');
  expect(nextDay('1/2/2024')).toBeUndefined();
});

test('hasTime', () => {
  expect(hasTime('2024-03-01T10:30')).toBe(true);
  expect(hasTime('2024-03-01')).toBe(false);
});
