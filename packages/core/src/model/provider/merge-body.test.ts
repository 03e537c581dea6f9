import { expect, test } from 'vitest';
import { mergeBody } from './merge-body.ts';

test('objects are merged, everything else is replaced, the body itself is left alone', () => {
  const body = { model: 'm', text: { format: { type: 'json' } }, include: ['a'] };
  expect(mergeBody(body, { text: { verbosity: 'low' }, include: ['b'], store: true })).toEqual({
    model: 'm',
    text: { format: { type: 'json' }, verbosity: 'low' },
    include: ['b'],
    store: true,
  });
  expect(body).toEqual({ model: 'm', text: { format: { type: 'json' } }, include: ['a'] });
  expect(mergeBody(body, undefined)).toBe(body);
});
