import { describe, expect, it } from 'vitest';
import { readYaml } from './read-yaml.ts';
import { yamlText } from './write-yaml.ts';

describe('yamlText', () => {
  it.each([
    ['a truth', 'yes'],
    ['a letter that is one', 'N'],
    ['a day', '2026-01-02'],
    ['a time', '2026-01-02T03:04:05.000Z'],
    ['minutes', '12:30:45'],
    ['a number with a line', '1_000'],
    ['an octal number', '0o17'],
    ['a merge', '<<'],
    ['a default', '='],
    ['a tab', '\tx'],
    ['a line break of 1.1', 'a\u2028b'],
    ['a control character', 'a\u0085\u0007b'],
    ['text that runs backwards', 'a\u202eb\u2066c'],
    ['text that nobody sees', 'a\u{e0041}\u200bb'],
  ])('quotes what YAML 1.1 reads as something else: %s', (_, text) => {
    const written = yamlText({ a: text });
    expect(written).toMatch(/^a: "[ -~]*"\n$/);
    expect(readYaml(written, 'a.yaml').value).toEqual({ a: text });
  });

  it('leaves plain texts as they are', () => {
    const plain = { a: 'SUM(orders.amount)', b: '28 days', c: '1.5 litres', d: 'SELECT 1\nFROM x\n' };
    expect(yamlText(plain)).toBe('a: SUM(orders.amount)\nb: 28 days\nc: 1.5 litres\nd: |\n  SELECT 1\n  FROM x\n');
  });
});
