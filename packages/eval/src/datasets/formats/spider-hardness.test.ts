import { describe, expect, it } from 'vitest';
import { spiderHardness } from './spider.ts';

const column = [0, 1, false];
const value = [0, column, null];
const simple = {
  select: [false, [[0, value]]],
  from: { table_units: [['table_unit', 0]], conds: [] as unknown[] },
  where: [] as unknown[],
  groupBy: [] as unknown[],
  having: [] as unknown[],
  orderBy: [] as unknown[],
  limit: null as unknown,
  intersect: null as unknown,
  union: null,
  except: null,
};
const equals = [false, 2, value, '"x"', null];
const join = {
  table_units: [
    ['table_unit', 0],
    ['table_unit', 1],
  ],
  conds: [equals],
};
const counted = [3, value];

describe('spiderHardness', () => {
  it.each([
    ['one column', simple, 'easy'],
    ['one condition', { ...simple, where: [equals] }, 'easy'],
    [
      'two columns',
      {
        ...simple,
        select: [
          false,
          [
            [0, value],
            [0, value],
          ],
        ],
      },
      'medium',
    ],
    ['a join with a condition', { ...simple, from: join, where: [equals] }, 'medium'],
    ['LIKE beside a join', { ...simple, from: join, where: [[false, 9, value, '"%x"', null]] }, 'hard'],
    ['OR counts', { ...simple, where: [equals, 'or', equals] }, 'medium'],
    [
      'three clauses',
      { ...simple, groupBy: [column], orderBy: ['desc', [[0, [3, 0, false], null]]], limit: 1 },
      'hard',
    ],
    ['a nested statement alone', { ...simple, intersect: simple }, 'hard'],
    ['a nested statement in a condition', { ...simple, where: [[false, 8, value, simple, null]] }, 'hard'],
    [
      'a nested statement with several columns',
      { ...simple, select: [false, [counted, counted]], intersect: simple },
      'extra',
    ],
    ['four clauses', { ...simple, from: join, where: [equals], orderBy: ['asc', [value]], limit: 3 }, 'extra'],
  ])('%s', (_, tree, expected) => {
    expect(spiderHardness(tree)).toBe(expected);
  });

  it('says nothing of what is no tree', () => {
    for (const none of [undefined, null, 'SELECT 1', {}, { ...simple, where: 'x' }])
      expect(spiderHardness(none)).toBeUndefined();
  });
});
