import { expect, test } from 'vitest';
import { didYouMean, nearestNames } from './nearest-names.ts';

const columns = ['customer_id', 'customer_name', 'order_date', 'name', 'total', 'Country'];

test.each([
  ['custmer_id', 'customer_id'],
  ['CustomerName', 'customer_name'],
  ['"order date"', 'order_date'],
  ['nmae', 'name'],
  ['toal', 'total'],
  ['country', 'Country'],
  ['date', 'order_date'],
])('%s is nearest to %s', (wanted, nearest) => {
  expect(nearestNames(wanted, columns)[0]).toBe(nearest);
});

test('what is like nothing gets no hint', () => {
  expect(nearestNames('zzz', columns)).toEqual([]);
  expect(nearestNames('', columns)).toEqual([]);
  expect(nearestNames('""', columns)).toEqual([]);
  expect(didYouMean('zzz', columns)).toBe('');
});

test('equally near names come in an order that does not depend on the input or the locale', () => {
  const names = ['name_c', 'name_B', 'name_a'];
  expect(nearestNames('name_x', names)).toEqual(['name_B', 'name_a', 'name_c']);
  expect(nearestNames('name_x', [...names].reverse())).toEqual(['name_B', 'name_a', 'name_c']);
});

test('at most as many as asked for, each once', () => {
  expect(nearestNames('name', ['name1', 'name1', 'name2', 'name3', 'name4'])).toEqual(['name1', 'name2', 'name3']);
  expect(nearestNames('name', ['name1', 'name2'], 1)).toEqual(['name1']);
});

test('the hint quotes the names', () => {
  expect(didYouMean('nam', ['name', 'other'])).toBe('Did you mean `name`?');
});
