import { describe, expect, it } from 'vitest';
import { clonePlain } from './clone-plain.ts';

describe('clonePlain', () => {
  it('copies all of plain data', () => {
    const value = { a: [1, { b: null }], bytes: new Uint8Array([1, 2]), none: undefined, big: 10n };
    const copy = clonePlain(value, 'The state');
    expect(copy).toEqual(value);
    expect(copy.a).not.toBe(value.a);
    expect(copy.a[1]).not.toBe(value.a[1]);
    expect(copy.bytes).not.toBe(value.bytes);
  });

  it('keeps a key named `__proto__` as a key', () => {
    const value = JSON.parse('{ "__proto__": { "admin": true }, "x": 1 }') as Record<string, unknown>;
    const copy = clonePlain(value, 'The state');
    expect(Object.keys(copy)).toEqual(['__proto__', 'x']);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(copy.admin).toBeUndefined();
  });

  it('names the place of what is not plain', () => {
    const value = { rows: [{ at: 1 }, { at: new Date(0) }] };
    expect(() => clonePlain(value, 'The state')).toThrow('The state holds a Date at `rows[1].at`');
    expect(() => clonePlain([() => 1], () => 'The state of item 3')).toThrow(
      'The state of item 3 holds a function at `[0]`',
    );
  });
});
