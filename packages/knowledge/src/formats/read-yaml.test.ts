import { describe, expect, it } from 'vitest';
import { readYaml } from './read-yaml.ts';

const failure = (text: string): unknown => {
  try {
    return readYaml(text, 'models/a.yaml').value;
  } catch (thrown) {
    return thrown;
  }
};

describe('readYaml', () => {
  it('says on which line a value stands', () => {
    const { value, lineOf } = readYaml('name: shop\ndatasets:\n  - name: orders\n    source: orders\n', 'a.yaml');
    expect(value).toEqual({ name: 'shop', datasets: [{ name: 'orders', source: 'orders' }] });
    expect(lineOf(['datasets', 0, 'source'])).toBe(4);
    expect(lineOf(['datasets', 0, 'fields', 3])).toBe(3);
  });

  it('reads `on` and `no` as words', () => {
    expect(readYaml('on: no', 'a.yaml').value).toEqual({ on: 'no' });
  });

  it.each([
    ['a bracket that is not closed', 'a:\n  - [1, 2\nb: 3', /^models\/a\.yaml:\d cannot be read/],
    ['a key that stands twice', 'a: 1\na: 2', /^models\/a\.yaml:2 cannot be read: duplicated mapping key/],
    ['a tag that makes objects', 'a: !!js/function "x"', /^models\/a\.yaml:1 cannot be read: unknown .* tag/],
    ['nesting without end', '['.repeat(50_000), /cannot be read/],
    ['an alias within itself', 'a: &a [*a]', /alias/],
    ['two documents', 'a: 1\n---\nb: 2', /several documents/],
    [
      'aliases of aliases',
      `a: &a [x, x, x, x, x, x, x, x, x, x]\n${[...'bcdefghij'].map((name, at) => `${name}: &${name} [${`*${'abcdefghi'[at]}, `.repeat(10)}]`).join('\n')}`,
      /alias/i,
    ],
  ])('refuses %s', (_, text, message) => {
    expect(failure(text)).toMatchObject({ code: 'KNOWLEDGE_INVALID', message: expect.stringMatching(message) });
  });
});
