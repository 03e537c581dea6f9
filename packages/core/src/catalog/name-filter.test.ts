import { describe, expect, it } from 'vitest';
import { createNameFilter } from './name-filter.ts';

const passes = (globs: readonly string[] | undefined, ...path: string[]): boolean => {
  const [relation = '', schema, database] = path.reverse();
  return createNameFilter(globs, 'insensitive')({ relation, schema, database });
};

describe('createNameFilter', () => {
  it('lets everything pass without globs, and nothing with an empty list', () => {
    expect(passes(undefined, 'orders')).toBe(true);
    expect(passes([], 'orders')).toBe(false);
  });

  it('holds a glob without dots against the bare name, and any glob against the qualified one', () => {
    expect(passes(['ord*'], 'sales', 'Orders')).toBe(true);
    expect(passes(['sales.*'], 'shop', 'sales', 'orders')).toBe(false);
    expect(passes(['*.sales.*'], 'shop', 'sales', 'orders')).toBe(true);
    expect(passes(['sales.order?'], 'sales', 'orders')).toBe(true);
    expect(passes(['sales.order?'], 'sales', 'order')).toBe(false);
    expect(passes(['lines', 'orders'], 'orders')).toBe(true);
    expect(passes(['sales.*'], 'hr', 'sales.people')).toBe(false);
  });

  it('takes every other character for itself', () => {
    expect(passes(['a+b(c)'], 'a+b(c)')).toBe(true);
    expect(passes(['a.b'], 'axb')).toBe(false);
    expect(passes(['**x*'], 'abcx')).toBe(true);
    expect(passes(['*a*b*'], 'xxbxxa')).toBe(false);
  });

  it('compares exactly where the catalog does', () => {
    expect(createNameFilter(['orders'], 'sensitive')({ relation: 'Orders' })).toBe(false);
  });

  it('stays fast on a hostile glob', () => {
    const started = performance.now();
    expect(passes(['*a'.repeat(200)], `${'a'.repeat(5_000)}b`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(4_000);
  });
});
