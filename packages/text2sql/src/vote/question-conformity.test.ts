import type { ComparableResult } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { askedNumbers, askedRows, questionConformity, questionLiterals } from './question-conformity.ts';

function rows(count: number): ComparableResult {
  return { columns: [{ name: 'a' }], rows: Array.from({ length: count }, (_, row) => [row]) };
}

describe('askedRows', () => {
  it.each([
    ['List the top 5 customers by sales.', 5],
    ['Who are the three highest paid players?', 3],
    ['Which three stores have the highest sales?', 3],
    ['Which year had the most orders?', 1],
    ['How many orders were cancelled?', 1],
    ['How many orders were cancelled in each month?', undefined],
    ['Which customers bought the most?', undefined],
    ['List actors with at least two films.', undefined],
    ['Show the top 3 films per actor.', undefined],
    ['What were the requests of the guests?', undefined],
    ['', undefined],
  ])('%s', (question, expected) => {
    expect(askedRows(question)).toBe(expected);
  });
});

describe('questionLiterals', () => {
  it('finds quoted texts, codes and numbers, and how a percentage may be written', () => {
    const found = questionLiterals(
      "Hubs of 'Sleep & Lounge' and A01B3 with more than a 20% increase over 10,000 in 2023",
    );
    expect(found).toEqual([['sleep & lounge'], ['a01b3'], ['20', '0.2'], ['10000'], ['2023']]);
  });

  it('does not take the text between two quotations for one', () => {
    expect(questionLiterals('the "red" and the "blue" ones').flat()).toEqual(['red', 'blue']);
  });
});

describe('questionConformity', () => {
  it('holds the number of rows against the question', () => {
    expect(questionConformity('Which year had the most orders?', 'SELECT 1', rows(2)).rows).toBe(false);
    expect(questionConformity('Which year had the most orders?', 'SELECT 1', rows(1)).rows).toBe(true);
    expect(questionConformity('List the top 5 customers.', 'SELECT 1', rows(4)).rows).toBe(true);
    expect(questionConformity('List the top 5 customers.', 'SELECT 1', rows(6)).rows).toBe(false);
    expect(questionConformity('List the customers.', 'SELECT 1', rows(6)).rows).toBeUndefined();
  });

  it('finds a LIMIT that nobody asked for', () => {
    expect(questionConformity('List the hubs with a 20% increase.', 'SELECT a FROM b LIMIT 20', rows(20)).limit).toBe(
      false,
    );
    expect(questionConformity('List the top 20 hubs.', 'SELECT a FROM b LIMIT 20;', rows(20)).limit).toBe(true);
    expect(questionConformity('Which hub has the most?', 'SELECT a FROM b LIMIT 1', rows(1)).limit).toBe(true);
    expect(
      questionConformity('List the hubs.', 'SELECT a FROM (SELECT a FROM b LIMIT 9) c', rows(9)).limit,
    ).toBeUndefined();
    expect(askedNumbers('a 20 % rise of two hubs')).toEqual([2]);
  });

  it('measures how many literals of the question a statement uses', () => {
    const question = "Orders of 'Acme' in 2023";
    expect(questionConformity(question, "SELECT 1 WHERE n = 'ACME' AND y = 2023", undefined).literals).toBe(1);
    expect(questionConformity(question, 'SELECT 1 WHERE y = 2023', undefined).literals).toBe(0.5);
    expect(questionConformity('All orders', 'SELECT 1', undefined).literals).toBeUndefined();
  });

  it('reads a question and a statement of a megabyte in a moment', () => {
    const started = performance.now();
    questionConformity(`'${'a\'b"'.repeat(250_000)}`, `SELECT 1 limit ${' '.repeat(1_000_000)}`, rows(1));
    expect(performance.now() - started).toBeLessThan(4_000);
  });
});
