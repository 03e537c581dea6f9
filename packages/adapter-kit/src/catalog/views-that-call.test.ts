import { expect, it } from 'vitest';
import { viewsThatCall } from './views-that-call.ts';

const view = (name: string, names: readonly string[], call?: string) => ({ name, names, call });

it('views that call a function, themselves or through views, in whatever order they come', () => {
  const views = [
    view('third', ['second']),
    view('second', ['first', 'customer']),
    view('first', [], 'sleep'),
    view('harmless', ['customer', 'upper']),
    view('circle', ['circle']),
  ];
  expect(Object.fromEntries(viewsThatCall(views))).toEqual({ first: 'sleep', second: 'sleep', third: 'sleep' });
  expect(viewsThatCall(views.slice(3)).size).toBe(0);
});
