import { describe, expect, it } from 'vitest';
import { smallDatabase } from './testing/small-database.ts';

/** Questions that once got an answer to another question. */
const gym = smallDatabase(
  {
    members: ['member_id number key', 'name text required', 'city text required', 'birth_date date'],
    payments: [
      'payment_id number key',
      'member_id number required > members',
      'paid_on date required',
      'amount number required',
    ],
    classes: ['class_id number key', 'title text required', 'level text required'],
    bookings: [
      'booking_id number key',
      'member_id number required > members',
      'class_id number required > classes',
      'attended number required',
    ],
  },
  {
    members: [
      [1, 'Ann', 'Graz', '1990-01-01'],
      [2, 'Bo', 'Lyon', '2001-01-01'],
    ],
    payments: [
      [10, 1, '2024-03-01', 7],
      [20, 2, '2025-02-01', 5],
      [30, 1, '2024-05-01', 9],
    ],
    classes: [
      [1, 'Yoga', 'easy'],
      [2, 'Boxing', 'hard'],
    ],
    bookings: [
      [1, 1, 1, 1],
      [2, 1, 2, 0],
      [3, 2, 1, 1],
    ],
  },
);

describe('answers what is asked', () => {
  it.each<[question: string, rows: unknown[][]]>([
    ['Which members paid more than 10 in total?', [['Ann']]],
    ['List the 1 most recent payments', [[20]]],
    ['Members who booked both Yoga and Boxing', [['Ann']]],
    ['Which members have not paid since January 2025?', [['Ann']]],
    ['Which member made payment 20?', [['Bo']]],
    ['How many attended bookings are there?', [[2]]],
    [
      'Members with their city and total payments',
      [
        ['Ann', 'Graz', 16],
        ['Bo', 'Lyon', 5],
      ],
    ],
    ['Which bookings were not attended?', [[2]]],
  ])('%s', async (question, rows) => {
    const { sql, explanation } = await gym.ask(question);
    expect(gym.rows(sql), explanation).toEqual(rows);
  });
});

describe('declines what it would answer by chance', () => {
  it.each(['What is the latest payment of each member?'])('%s', async (question) => {
    const { outcome, sql } = await gym.ask(question);
    expect(outcome, sql).not.toBe('sql');
  });
});
