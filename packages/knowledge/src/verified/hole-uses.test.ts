import { describe, expect, it } from 'vitest';
import { boundShop } from '../compile/test-support/shop.ts';
import type { Knowledge, QueryParameter, VerifiedQuery } from '../model/knowledge.ts';
import { findVerified } from './find-verified.ts';

const bound = boundShop();

function knowledge(
  question: string,
  sql: string,
  parameters: readonly QueryParameter[],
  names: VerifiedQuery['names'] = 'physical',
): Knowledge {
  const standing = { state: 'accepted', source: 'file', place: { file: 'sql/one.md' } } as const;
  const query: VerifiedQuery = { id: 'one', question, sql, names, parameters, tags: [], standing };
  return { schemaVersion: 1, settings: {}, models: [], verifiedQueries: [query], texts: [], problems: [] };
}

const WHO = { name: 'who', type: 'text' } as const;
const cell = (attribute: string, value: string) => ({
  mention: value,
  attribute: attribute as never,
  value,
  score: 1,
});
const CELLS = [
  cell('stores#city', 'Berlin'),
  cell('customers#region', 'North'),
  cell('customers#name', 'Ann'),
  cell('items#product', 'Cake'),
];

/** Which of the cells fill the hole. */
function filling(sql: string, names: VerifiedQuery['names'] = 'physical'): readonly string[] {
  const one = knowledge('sales of {who}', sql, [WHO], names);
  return CELLS.map(({ value }) => value).filter(
    (value) => findVerified(`sales of ${value}`, one, { values: CELLS, bound }).kind === 'same',
  );
}

describe('a hole that is compared with a column', () => {
  it.each([
    ['SELECT 1 FROM stores WHERE city = :who', ['Berlin']],
    ['SELECT 1 FROM stores s JOIN customers AS c ON 1 = 1 WHERE LOWER(c."region") = LOWER(:who)', ['North']],
    ["SELECT 1 FROM customers WHERE 'x' = name OR region IN ('a', :who)", ['North']],
    ["SELECT 1 FROM customers WHERE name LIKE '%' || :who || '%'", ['Ann']],
    ['SELECT 1 FROM items WHERE :who = items.product', ['Cake']],
    ['SELECT 1 FROM customers WHERE :who IN (name, region)', ['Ann']],
    ['SELECT 1 FROM customers WHERE name = :who UNION SELECT 1 FROM stores WHERE city = :who', ['Berlin', 'Ann']],
    ['SELECT metric(revenue WHERE stores.city = :who)', ['Berlin']],
  ] as const)('takes cells of that column alone: %s', (sql, values) => {
    expect(filling(sql)).toEqual(values);
  });

  it('is followed through names of the model', () => {
    expect(filling('SELECT 1 FROM customers c WHERE c.region = :who', 'logical')).toEqual(['North']);
  });

  it('takes any cell where the column cannot be told', () => {
    const all = CELLS.map(({ value }) => value);
    expect(filling('SELECT name, :who AS asked FROM customers')).toEqual(all);
    expect(filling('WITH t AS (SELECT city AS town FROM stores) SELECT 1 FROM t WHERE town = :who')).toEqual(all);
  });

  it('takes a quoted text, unless that is a cell of other columns only', () => {
    const one = knowledge('sales in {who}', 'SELECT 1 FROM stores WHERE city = :who', [WHO]);
    const kindOf = (question: string) => findVerified(question, one, { values: CELLS, bound }).kind;
    expect(['sales in "Paris"', 'sales in "berlin"', 'sales in "North"'].map(kindOf)).toEqual(['same', 'same', 'near']);
  });
});

describe('a hole that counts rows', () => {
  const parameters = [{ name: 'n', type: 'number' }] as const;
  const sqlOf = (question: string, sql = 'SELECT city FROM stores LIMIT :n') => {
    const found = findVerified(question, knowledge('top {n} cities', sql, parameters), { bound });
    return found.kind === 'same' ? found.sql : undefined;
  };

  it.each(['top 5 cities', 'top-5 cities', 'Top 5 cities!'])('takes a whole number: %s', (question) => {
    expect(sqlOf(question)).toBe('SELECT city FROM stores LIMIT 5');
  });

  it.each([
    'top -1 cities',
    'top 2.5 cities',
    'top 1.000 cities',
    'top 1e9 cities',
    'top !5 cities',
    'top {n} 5 cities',
  ])('takes nothing else: %s', (question) => {
    expect(sqlOf(question)).toBeUndefined();
    expect(sqlOf(question, 'SELECT city FROM stores ORDER BY 1 LIMIT 3, :n')).toBeUndefined();
  });

  it('is none where it is compared', () => {
    expect(sqlOf('top -1 cities', 'SELECT city FROM stores WHERE store_id > :n')).toContain('> (-1)');
    expect(sqlOf('top 2.5 cities', 'SELECT city FROM stores WHERE store_id > :n')).toContain('> 2.5');
  });
});
