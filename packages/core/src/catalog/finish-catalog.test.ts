import { createHash } from 'node:crypto';
import { catalogFixture, largeCatalog, schemaFixture } from '@askema/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../scripts/testing/any-character.ts';
import { processorMs } from '../../../../scripts/testing/processor-ms.ts';
import type { Catalog } from './catalog.ts';
import { catalogFingerprint, finishCatalog } from './finish-catalog.ts';

const schema = schemaFixture({
  a: { attributes: ['id NUMERIC', 'name TEXT not null'], key: ['id'] },
  b: { attributes: ['a NUMERIC'], references: ['a > a: id'] },
});
const catalog = catalogFixture(schema);
const fingerprint = (change: Partial<Catalog>): string => catalogFingerprint({ ...catalog, ...change });

describe('catalogFingerprint', () => {
  it('is the same for the same structure, whatever the order of keys and the counts', () => {
    const { a, b } = catalog.relations;
    const counted = {
      b: { kind: 'table', nameParts: { relation: 'b' }, comment: undefined },
      a: { ...a!, rowCount: 7, rowCountExact: true, byteCount: 1 },
    } as const;
    expect(b).toBeDefined();
    expect(fingerprint({ relations: counted })).toBe(catalog.fingerprint);
    expect(fingerprint({ fingerprint: 'something else' })).toBe(catalog.fingerprint);
    expect(catalog.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(catalogFingerprint(JSON.parse(JSON.stringify(catalog)))).toBe(catalog.fingerprint);
  });

  it('does not change between processes and versions: indexes and journals hold on to it', () => {
    expect(catalog.fingerprint).toBe('f04f1a5b308b63aef2d90140843dcc517b864676e2912f7fb95663992b577b7e');
  });

  it('is SHA-256 of JSON with sorted keys, a comma behind each member, and nothing undefined', () => {
    const canonical = (value: unknown): string => {
      if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
      if (Array.isArray(value)) return `[${value.map((item) => `${canonical(item)},`).join('')}]`;
      const members = Object.entries(value).filter(([, inner]) => inner !== undefined);
      members.sort(([a], [b]) => (a < b ? -1 : 1));
      return `{${members.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)},`).join('')}}`;
    };
    // Neighbours with the same keys, with others, with the same in another order; more keys than a record of fields
    // has; texts with escapes.
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom('', '"', '\\', '\n', '\u2028', '\ud800', '\u{1f600}', '__proto__'),
    );
    const few = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.option(text, { nil: undefined }), {
      noNullPrototype: true,
    });
    const many = fc.dictionary(text, few, { noNullPrototype: true, minKeys: 10, maxKeys: 30 });
    fc.assert(
      fc.property(fc.array(few), many, (list, record) => {
        const change = { incomplete: list, attributes: record, keyStanding: list[0] } as unknown as Partial<Catalog>;
        const { fingerprint: _, ...whole } = { ...catalog, ...change };
        expect(catalogFingerprint(whole)).toBe(createHash('sha256').update(canonical(whole)).digest('hex'));
      }),
    );
  });

  it('differs when anything but a count differs', () => {
    const attributes = { ...catalog.attributes, 'a#name': { position: 2, nativeType: 'VARCHAR' } };
    const others: Partial<Catalog>[] = [
      { dialect: 'duckdb' },
      { name: 'other' },
      { attributes },
      { relations: { ...catalog.relations, a: { nameParts: { relation: 'a' }, kind: 'view' } } },
      { checks: [{ relation: 'a', expression: 'id > 0' }] },
      { keyStanding: { a: 'inferred' } },
      { incomplete: [{ subject: 'a', reason: 'no permission' }] },
      { schema: { ...schema, relations: [...schema.relations].reverse() } },
      { schema: { ...schema, domainConstraints: [] } },
    ];
    const found = others.map(fingerprint);
    expect(new Set([catalog.fingerprint, ...found]).size).toBe(others.length + 1);
  });

  it('reads a large catalog to its end and from its beginning', () => {
    const large = largeCatalog(100);
    const change = (position: number): Catalog => {
      const attributes = large.schema.attributes.with(position, {
        ...large.schema.attributes[position]!,
        type: 'BOOL',
      });
      return { ...large, schema: { ...large.schema, attributes } };
    };
    const found = [large, change(0), change(1_750), change(3_499)].map(catalogFingerprint);
    expect(new Set(found).size).toBe(4);
  });

  it('takes a relation called rowCount for a relation', () => {
    const withRelation = (kind: 'table' | 'view'): string =>
      catalogFingerprint({
        ...catalog,
        relations: { ...catalog.relations, rowCount: { nameParts: { relation: 'rowCount' }, kind } },
      });
    expect(withRelation('table')).not.toBe(withRelation('view'));
  });
});

describe('finishCatalog', () => {
  const { fingerprint: _, ...unfinished } = catalog;

  it('adds the fingerprint and changes nothing else', () => {
    expect(finishCatalog(unfinished)).toEqual(catalog);
  });

  it('refuses a catalog whose parts do not fit together', () => {
    const twice = { ...schema, relations: [...schema.relations, { id: 'a', name: 'A' }] };
    expect(() => finishCatalog({ ...unfinished, schema: twice })).toThrow(/relation id "a" twice/);
    expect(() => finishCatalog({ ...unfinished, relations: {} })).toThrow(
      /no entry in `relations` for the relation "a"/,
    );
    expect(() => finishCatalog({ ...unfinished, attributes: {} })).toThrow(/no entry in `attributes`/);
  });

  it('finishes 70,000 attributes in well under a second', () => {
    const large = largeCatalog(2_000);
    const started = processorMs();
    finishCatalog(large);
    expect(processorMs() - started).toBeLessThan(5_000);
  }, 20_000);
});
