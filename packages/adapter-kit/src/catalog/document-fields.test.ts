import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { documentFields, MAX_DEPTH, MAX_FIELDS } from './document-fields.ts';
import { ELEMENT, scanJson } from './scan-json.ts';

const fieldsOf = (documents: readonly string[]) => documentFields(documents, (kinds) => [...kinds].join('|'));

/** What the scan must see, by JSON.parse and recursion. */
function expectedVisits(value: unknown, path: readonly string[] = []): string[] {
  const here = (kind: string): string => JSON.stringify([path, kind]);
  if (value === null) return [here('null')];
  if (Array.isArray(value))
    return [here('array'), ...value.flatMap((item) => expectedVisits(item, [...path, ELEMENT]))];
  if (typeof value === 'object')
    return [here('object'), ...Object.entries(value).flatMap(([key, inner]) => expectedVisits(inner, [...path, key]))];
  if (typeof value === 'number') return [here(/^-?\d+$/.test(JSON.stringify(value)) ? 'integer' : 'number')];
  return [here(typeof value)];
}

function visits(text: string): string[] {
  const seen: string[] = [];
  scanJson(text, (path, kind) => seen.push(JSON.stringify([path, kind])));
  return seen;
}

describe('the scan', () => {
  test('sees what a parser sees, however the text is laid out', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
        const parsed: unknown = JSON.parse(JSON.stringify(value));
        expect(visits(JSON.stringify(parsed, null, indent))).toEqual(expectedVisits(parsed));
      }),
    );
  });

  test('of a text that is cut off it sees a beginning of that', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), (value, cut) => {
        const parsed: unknown = JSON.parse(JSON.stringify(value));
        const text = JSON.stringify(parsed);
        const whole = expectedVisits(parsed);
        if (typeof parsed !== 'object' || parsed === null) return;
        const seen = visits(text.slice(0, cut % (text.length + 1)));
        expect(seen).toEqual(whole.slice(0, seen.length));
      }),
    );
  });

  test('ends with text that is no JSON, and never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\ 1tn"ue'), maxLength: 60 }), (text) => {
        visits(text);
      }),
    );
    expect(visits('{"a":1}{"b":2}')).toEqual(visits('{"a":1}'));
    expect(visits('[undefined,1]')).toEqual(['[[],"array"]', '[["[]"],"null"]', '[["[]"],"integer"]']);
  });

  test('a hundred thousand brackets are no recursion', () => {
    expect(visits('['.repeat(1_000))).toHaveLength(1_000);
    expect(fieldsOf(['['.repeat(100_000)])).toHaveLength(MAX_DEPTH);
  });
});

describe('fields', () => {
  test('have the kinds that were seen', () => {
    const documents = ['{"id":1,"who":{"name":"x","age":null},"mixed":1}', '{"mixed":"one","tags":["a"]}'];
    expect(fieldsOf(documents)).toEqual([
      { path: ['id'], nativeType: 'integer' },
      { path: ['who'], nativeType: 'object' },
      { path: ['who', 'name'], nativeType: 'string' },
      { path: ['who', 'age'], nativeType: 'null' },
      { path: ['mixed'], nativeType: 'integer|string' },
      { path: ['tags'], nativeType: 'array' },
      { path: ['tags', '[]'], nativeType: 'string' },
    ]);
  });

  test('keys that are data do not push names out, and nothing stands without what it is in', () => {
    const documents = Array.from({ length: 100 }, (_, at) =>
      JSON.stringify({
        ...Object.fromEntries(Array.from({ length: 50 }, (__, k) => [`k${at}-${k}`, k])),
        name: { first: 'x' },
      }),
    );
    const paths = fieldsOf(documents).map(({ path }) => path.join('.'));
    expect(paths).toHaveLength(MAX_FIELDS);
    expect(paths).toContain('name');
    expect(paths).toContain('name.first');
    fc.assert(
      fc.property(fc.array(fc.object({ maxDepth: 3, maxKeys: 6 }), { maxLength: 8 }), (values) => {
        const found = new Set(
          fieldsOf(values.map((value) => JSON.stringify(value))).map(({ path }) => JSON.stringify(path)),
        );
        for (const path of found) {
          const parent = (JSON.parse(path) as string[]).slice(0, -1);
          if (parent.length > 0) expect(found).toContain(JSON.stringify(parent));
        }
      }),
      { numRuns: 30 },
    );
  });

  test('hostile keys stay what they are; very long ones are left out', () => {
    const name = '"; DROP TABLE x; --\n[0].a';
    expect(fieldsOf([JSON.stringify({ [name]: 1, ['k'.repeat(10_000)]: 1, __proto__x: 2 })])).toEqual([
      { path: [name], nativeType: 'integer' },
      { path: ['__proto__x'], nativeType: 'integer' },
    ]);
  });
});
