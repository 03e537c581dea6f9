import type { Outcome } from '@askema/core';
import { afterAll, describe, expect, it } from 'vitest';
import { DEVELOPED } from './developed.ts';
import { HELD_OUT } from './held-out.ts';
import { verdictOf } from './judge.ts';
import { openStar } from './open-star.ts';

const tables = openStar();
afterAll(() => tables.close());

function judged(question: string, ending: string | Partial<Outcome>): string {
  const asked = [...DEVELOPED, ...HELD_OUT].find((one) => one.question === question);
  if (asked === undefined) throw new Error(`Nobody asks ${question}`);
  const outcome = typeof ending === 'string' ? { type: 'answered', result: tables.run(ending) } : ending;
  return verdictOf(asked, outcome as Outcome, tables.run);
}

const SALES = "FROM sale LEFT JOIN customer USING (customer_id) JOIN product USING (product_id) WHERE status_cd <> 'C'";

describe('an answer is right', () => {
  it.each([
    ['Revenue per month', `SELECT strftime('%Y-%m', sold_on), SUM(amount) ${SALES} GROUP BY 1 ORDER BY 1`],
    ['Revenue per month', `SELECT substr(sold_on, 1, 4), substr(sold_on, 6, 2), SUM(amount) ${SALES} GROUP BY 1, 2`],
    ['How is revenue split across loyalty levels?', `SELECT loyalty_cd, SUM(amount) ${SALES} GROUP BY 1`],
    [
      'How is revenue split across loyalty levels?',
      `SELECT CASE loyalty_cd WHEN 'G' THEN 'Gold' WHEN 'S' THEN 'Silver' WHEN 'B' THEN 'Basic' ELSE 'Unknown' END,
        SUM(amount) ${SALES} GROUP BY 1`,
    ],
    [
      'How is revenue split across loyalty levels?',
      `SELECT loyalty_cd, SUM(amount) ${SALES} AND loyalty_cd <> '' GROUP BY 1`,
    ],
    [
      'Margin by brand please',
      `SELECT brand, ROUND(100 - SUM(cost_amount) * 100 / SUM(amount), 1) ${SALES} GROUP BY 1`,
    ],
    [
      'Footfall per store',
      'SELECT store_name, SUM(visitors) FROM store LEFT JOIN store_visit USING (store_id) GROUP BY 1',
    ],
    ['Top 5 products by revenue', `SELECT product_name ${SALES} GROUP BY 1 ORDER BY SUM(amount) DESC LIMIT 5`],
    ['Revenue in Paris', 'SELECT SUM(amount) FROM sale WHERE FALSE'],
  ])('%s', (question, sql) => {
    expect(judged(question, sql)).toBe('right');
  });
});

describe('an answer is wrong', () => {
  it.each([
    [
      'of other rows',
      'Revenue per month',
      `SELECT sold_on, SUM(amount) ${SALES} GROUP BY substr(sold_on, 1, 7) LIMIT 23`,
    ],
    ['without periods', 'Revenue per month', `SELECT SUM(amount) ${SALES} GROUP BY substr(sold_on, 1, 7)`],
    [
      'with periods that are mixed up',
      'Revenue per month',
      `SELECT 'some month', SUM(amount) ${SALES} GROUP BY substr(sold_on, 1, 7) ORDER BY 2`,
    ],
    [
      'with what the definition leaves out',
      'How is revenue split across loyalty levels?',
      'SELECT loyalty_cd, SUM(amount) FROM sale LEFT JOIN customer USING (customer_id) GROUP BY 1',
    ],
    ['with a share that is near', 'Margin by brand please', `SELECT brand, 0.4 ${SALES} GROUP BY 1`],
    ['where there is none', 'Revenue by supplier', `SELECT brand, SUM(amount) ${SALES} GROUP BY 1`],
    [
      'with the last ones',
      'Top 5 products by revenue',
      `SELECT product_name ${SALES} GROUP BY 1 ORDER BY SUM(amount) LIMIT 5`,
    ],
  ])('%s', (_why, question, sql) => {
    expect(judged(question, sql)).toBe('wrong');
  });
});

it('to decline is right only where the tables do not hold it, to fail never', () => {
  const declined: Partial<Outcome> = { type: 'unanswerable', reason: '', notUnderstood: [] };
  expect(judged('Revenue by supplier', declined)).toBe('right');
  expect(judged('Revenue per month', declined)).toBe('declined');
  expect(judged('Revenue by supplier', { type: 'failed' } as Partial<Outcome>)).toBe('failed');
});
