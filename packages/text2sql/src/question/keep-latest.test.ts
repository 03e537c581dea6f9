import { expect, test } from 'vitest';
import { keepLatest } from './keep-latest.ts';

test('computes again for what is not the same, and forgets what was used longest ago', () => {
  const computed: string[] = [];
  const work = keepLatest(2, (name: string, about: object | undefined) => computed.push(`${name} ${typeof about}`));
  const about = {};
  for (const [name, given] of [
    ['a', about],
    ['b', undefined],
    ['a', about],
    ['c', undefined],
    ['a', about],
    ['b', undefined],
    ['a', {}],
  ] as const)
    work(name, given);
  expect(computed).toEqual(['a object', 'b undefined', 'c undefined', 'b undefined', 'a object']);
});
