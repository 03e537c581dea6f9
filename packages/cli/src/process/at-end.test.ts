import { expect, it } from 'vitest';
import { createAtEnd } from './at-end.ts';

it('does each work once, and says what failed and what took too long', async () => {
  const ending = createAtEnd();
  const done: string[] = [];
  const work = (name: string) => async () => void done.push(name);
  const [first, second] = [{}, {}];
  ending.add(first, work('first'));
  ending.add({}, () => Promise.reject(new Error('no collector')));
  ending.add({}, () => new Promise(() => undefined));
  ending.add(second, work('second'));
  ending.add(first, work('first'));
  expect(await ending.run(20)).toEqual(['no collector', 'it took more than 0.02 seconds']);
  expect(done).toEqual(['first', 'second']);
  expect(await ending.run()).toEqual([]);
  expect(done).toHaveLength(2);
});
