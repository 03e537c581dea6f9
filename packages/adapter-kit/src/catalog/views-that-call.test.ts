import { expect, it } from 'vitest';
import { findCallingView, viewsThatCall } from './views-that-call.ts';

const view = (name: string, names: readonly string[], call?: string, schema = 'shop') => ({
  schema,
  name,
  names,
  call,
});

it('views that call a function, themselves or through views, in whatever order they come', () => {
  const views = [
    view('third', ['second']),
    view('second', ['first', 'customer']),
    view('first', [], 'sleep'),
    view('harmless', ['customer', 'upper']),
    view('circle', ['circle']),
  ];
  const calls = [...viewsThatCall(views)].map(([name, { call }]) => [name, call]);
  expect(Object.fromEntries(calls)).toEqual({ first: 'sleep', second: 'sleep', third: 'sleep' });
  expect(viewsThatCall(views.slice(3)).size).toBe(0);
});

it('a view is meant by its name where it is, and elsewhere with its schema', () => {
  const views = viewsThatCall([view('slow', [], 'sleep'), view('slow', [], undefined, 'other'), view('quick', [])]);
  const find = (names: readonly string[], within: string) => findCallingView(names, within, views);
  expect(find(['select', 'a', 'from', 'slow'], 'shop')).toEqual({ at: 3, call: 'sleep' });
  expect(find(['select', 'a', 'from', 'shop', 'slow'], 'mine')).toEqual({ at: 4, call: 'sleep' });
  // Views of one name are not told apart.
  expect(find(['from', 'slow'], 'other')).toEqual({ at: 1, call: 'sleep' });
  expect([find(['from', 'slow'], 'mine'), find(['from', 'quick'], 'shop'), find([], 'shop')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
