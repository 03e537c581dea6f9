import { backslashDialect, fixtureDialect } from '@askema/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { qualifiedName, quoteIdentifier, quoteIfNeeded, quoteString } from './quote-name.ts';

const text = fc.string({ unit: fc.constantFrom('a', '"', '`', "'", '\\', '\n', '\r', '.', 'é', 'n'), maxLength: 8 });

describe('quoting names', () => {
  it('can be undone: what stands between the quotes is the name and nothing else', () => {
    fc.assert(
      fc.property(text, (name) => {
        const doubled = quoteIdentifier(name, fixtureDialect);
        expect(doubled.slice(1, -1).replaceAll('""', '"')).toBe(name);
        expect(doubled.slice(1, -1).replaceAll('""', '')).not.toContain('"');
        const escaped = quoteIdentifier(name, backslashDialect);
        expect(escaped).toMatch(/^`(?:[^`\\\n\r]|\\.)*`$/);
        expect(unescaped(escaped.slice(1, -1))).toBe(name);
      }),
    );
  });

  it('quotes only where it must', () => {
    expect(quoteIfNeeded('NAME', fixtureDialect)).toBe('NAME');
    expect(quoteIfNeeded('name', fixtureDialect)).toBe('"name"');
    expect(quoteIfNeeded('name', backslashDialect)).toBe('name');
    for (const name of ['Order', 'two words', '1st', '', 'größe', 'a;b'])
      expect(quoteIfNeeded(name, backslashDialect)).toBe(`\`${name}\``);
    const lower = { identifiers: { ...fixtureDialect.identifiers, unquotedFolding: 'lower' as const } };
    expect(quoteIfNeeded('name', lower)).toBe('name');
    expect(quoteIfNeeded('Name', lower)).toBe('"Name"');
  });

  it('writes the qualifiers that the dialect has', () => {
    const parts = { database: 'my-db', schema: 'PUBLIC', relation: 'ORDER' };
    expect(qualifiedName(parts, fixtureDialect)).toBe('"my-db".PUBLIC."ORDER"');
    expect(qualifiedName(parts, fixtureDialect, 'always')).toBe('"my-db"."PUBLIC"."ORDER"');
    expect(qualifiedName({ relation: 'T' }, fixtureDialect)).toBe('T');
    expect(qualifiedName(parts, { identifiers: { ...fixtureDialect.identifiers, qualifiers: ['schema'] } })).toBe(
      'PUBLIC."ORDER"',
    );
  });

  it('writes strings that end where they should', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(quoteString(value, fixtureDialect).slice(1, -1).replaceAll("''", "'")).toBe(value);
        const escaped = quoteString(value, backslashDialect);
        expect(escaped).toMatch(/^'(?:[^'\\\n\r]|\\.)*'$/);
        expect(unescaped(escaped.slice(1, -1))).toBe(value);
      }),
    );
  });

  it('refuses NUL, which would end the statement early', () => {
    expect(() => quoteIdentifier('a\0b', fixtureDialect)).toThrow(/NUL/);
    expect(() => quoteString('a\0b', fixtureDialect)).toThrow(/NUL/);
  });
});

function unescaped(escaped: string): string {
  return escaped.replace(/\\(.)/g, (_, character: string) => ({ n: '\n', r: '\r' })[character] ?? character);
}
