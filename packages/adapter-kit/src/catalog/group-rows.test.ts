import { expect, it } from 'vitest';
import { foreignKeysOf, keysOf } from './group-rows.ts';

it('keys by their ids, without those over an expression', () => {
  const rows: (readonly [string, string | null])[] = [
    ['PRIMARY', 'id'],
    ['name', 'first'],
    ['lower', null],
    ['name', 'last'],
    ['lower', 'id'],
  ];
  expect([...keysOf(rows, ([id, column]) => ({ id, column }))]).toEqual([
    ['PRIMARY', ['id']],
    ['name', ['first', 'last']],
  ]);
});

it('foreign keys; one that does not name all its target columns names none', () => {
  const rows = [
    { id: 1, column: 'a', target: { relation: 'x' }, targetColumn: 'p' },
    { id: 2, column: 'c', target: { relation: 'y' }, targetColumn: null },
    { id: 1, column: 'b', target: { relation: 'x' }, targetColumn: 'q' },
  ];
  expect(foreignKeysOf(rows, (row) => row)).toEqual([
    { attributes: ['a', 'b'], target: { relation: 'x' }, targetAttributes: ['p', 'q'] },
    { attributes: ['c'], target: { relation: 'y' }, targetAttributes: undefined },
  ]);
});
