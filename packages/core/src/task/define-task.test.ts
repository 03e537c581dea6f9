import { expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import { userMessage } from '../model/language-model.ts';
import { defineTask } from './define-task.ts';
import type { Task } from './task.ts';

const parts = {
  id: 'shop.name-product',
  version: 1,
  render: (input: { hint: string }) => [userMessage(input.hint)],
  output: z.object({ name: z.string(), length: z.string().transform(Number) }),
};

test('types come from render and output', () => {
  const task = defineTask(parts);
  expectTypeOf(task).toEqualTypeOf<Task<{ hint: string }, { name: string; length: number }>>();
  expect(task.render({ hint: 'x' })).toEqual([userMessage('x')]);
});

test.each(['product', 'Shop.name', 'shop.', 'shop name.x', ''])('the id %j is refused', (id) => {
  expect(() => defineTask({ ...parts, id })).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
});

test.each([0, 1.5, Number.NaN])('version %s is refused', (version) => {
  expect(() => defineTask({ ...parts, version })).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
});
