import { buildCatalog, type Catalog, type DraftRelation } from '@askema/core';
import { catalogFixture, fixtureDialect, largeCatalog, schemaFixture, smallCatalog } from '@askema/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packCatalog } from './pack-catalog.ts';
import { unpackCatalog } from './unpack-catalog.ts';

const overJson = (catalog: Catalog): Catalog => unpackCatalog(JSON.parse(JSON.stringify(packCatalog(catalog))));
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const name = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'a.b', 'a#b', 'x>y(z)', '%2E', 'Id', 'ID', '1', '𝛼'),
  fc.string({ minLength: 1, maxLength: 4, unit: 'binary' }),
);
const names = fc.uniqueArray(name, { minLength: 1, maxLength: 5, selector: (text) => text.toLowerCase() });

describe('packCatalog and unpackCatalog', () => {
  it('give back any catalog as it was', () => {
    fc.assert(
      fc.property(names, names, fc.boolean(), (relations, columns, isFolded) => {
        const drafts = relations.map(
          (relation, at): DraftRelation => ({
            nameParts: { schema: 's', relation },
            kind: at === 0 ? 'view' : 'table',
            comment: at === 1 ? 'x' : undefined,
            rowCount: at,
            primaryKey: columns.slice(0, 2),
            uniqueKeys: [columns.slice(0, 1)],
            checks: ['a > 1'],
            foreignKeys: [
              { attributes: columns.slice(0, 1), target: { schema: 's', relation: relations[0] ?? '' } },
              { attributes: columns.slice(-1), target: { relation: 'nowhere' } },
            ],
            attributes: columns.map((column, position) => ({
              name: column,
              nativeType: position % 2 === 0 ? 'TEXT' : 'NUMBER(9)',
              notNull: position === 1,
              comment: position === 0 ? 'a comment' : undefined,
              nestedFields: position === 2 ? [{ path: ['x'], nativeType: 'TEXT' }] : undefined,
            })),
          }),
        );
        const identifiers = {
          ...fixtureDialect.identifiers,
          comparison: isFolded ? 'insensitive' : 'sensitive',
        } as const;
        const catalog = buildCatalog({ dialect: { ...fixtureDialect, identifiers }, name: 'draft', relations: drafts });
        expect(asJson(overJson(catalog))).toEqual(asJson(catalog));
        expect(Object.keys(overJson(catalog).attributes)).toEqual(Object.keys(catalog.attributes));
      }),
    );
  });

  it('keep attributes in their order where relations mix', () => {
    const schema = schemaFixture({ a: { attributes: ['x TEXT', 'y TEXT'] }, b: { attributes: ['z TEXT'] } });
    const [x, y, z] = schema.attributes;
    const mixed = catalogFixture({ ...schema, attributes: [x!, z!, y!] });
    expect(overJson(mixed)).toEqual(mixed);
  });

  it('take a third of the space of the catalog', () => {
    const large = largeCatalog(200);
    expect(JSON.stringify(packCatalog(large)).length * 3).toBeLessThan(JSON.stringify(large).length);
  });

  it('keep no catalog with ids of its own making, or with parts that do not fit', () => {
    const { attributes, schema } = smallCatalog;
    const renamed = schema.attributes.map((attribute, at) => (at === 0 ? { ...attribute, id: 'mine' } : attribute));
    const own = { ...smallCatalog, attributes: { ...attributes, mine: attributes[schema.attributes[0]!.id]! } };
    expect(packCatalog({ ...own, schema: { ...schema, attributes: renamed } })).toBeUndefined();
    expect(packCatalog({ ...smallCatalog, attributes: {} })).toBeUndefined();
  });

  it('believe nothing: a part that was changed is told, or makes no other kind of value', () => {
    const packed = asJson(packCatalog(smallCatalog)) as Record<string, unknown>;
    const strange = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom([[-1]], [1e9], ['x'], [[0, 0, null]], JSON.parse('{"__proto__": {"polluted": true}}')),
    );
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(packed)), strange, (part, value) => {
        try {
          const catalog = unpackCatalog({ ...packed, [part]: value });
          for (const attribute of catalog.schema.attributes)
            expect([typeof attribute.id, typeof attribute.name, typeof attribute.relation]).not.toContain('object');
        } catch (thrown) {
          expect(thrown).toHaveProperty('name', 'BrokenForm');
        }
        expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
      }),
    );
  });

  it.each([
    ['relations', [['__proto__', 'x', { nameParts: { relation: 'x' }, kind: 'table' }]]],
    ['relations', [['t', 't', { nameParts: { relation: 't' }, kind: 'table', comment: { no: 'text' } }]]],
    ['relations', [['t', 't', { nameParts: { relation: 't' }, kind: 'table', more: 1 }]]],
    ['runs', [0, 1e12]],
    ['runs', [99, 1]],
    ['runs', []],
    ['infos', [{ position: 1, nativeType: 2 }]],
    ['attributes', []],
    ['attributes', [0]],
    ['attributes', [1e9]],
    ['columns', []],
    ['columns', [0, 0, 0, 0]],
    ['columns', [1e9, 0, 0, 0]],
    ['rest', { schemaVersion: 2 }],
    ['texts', [1, 2]],
  ])('%s: %j is refused', (part, value) => {
    const packed = asJson(packCatalog(smallCatalog)) as Record<string, unknown>;
    expect(() => unpackCatalog({ ...packed, [part]: value })).toThrow(/./);
  });
});
