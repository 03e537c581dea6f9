import { catalogFixture, largeCatalog, type RelationFixture, schemaFixture } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import type { DataType, Schema } from './schema.ts';
import { EMPTY_SCHEMA } from './schema.ts';
import { LAWFUL_IN_CATALOGS, SCHEMA_RULES, type SchemaRule } from './schema-breach.ts';
import { validateSchema } from './validate-schema.ts';

const valid: Readonly<Record<string, RelationFixture>> = {
  a: { attributes: ['id NUMERIC', 'code TEXT unique', 'x NUMERIC not null'], key: ['id'] },
  b: {
    attributes: ['m NUMERIC', 'n NUMERIC', 'a NUMERIC', 'self NUMERIC'],
    key: ['m', 'n'],
    references: ['a > a: id', 'm, self > b: m, n'],
  },
};
const base = schemaFixture(valid);
const changed = (change: Partial<Schema>): Schema => ({ ...base, ...change });
const withKeys = (...keys: Schema['foreignKeys']): Schema => changed({ foreignKeys: keys });
const key = (pairs: readonly [string, string][], relation = 'b', target = 'a') => ({
  id: 'key',
  relation,
  target,
  pairs: pairs.map(([from, to]) => ({ from, to })),
});

/** The smallest breach of each rule, and whatever else it cannot help breaking. */
const breaches: Readonly<Record<SchemaRule, { readonly schema: Schema; readonly also?: readonly SchemaRule[] }>> = {
  'relation-id-duplicate': { schema: changed({ relations: [...base.relations, { id: 'a', name: 'other' }] }) },
  'relation-name-duplicate': {
    schema: schemaFixture({ ...valid, 'other.A': { attributes: ['id TEXT'], key: ['id'] } }),
  },
  'relation-name-empty': {
    schema: changed({
      relations: [
        { id: 'a', name: ' ' },
        { id: 'b', name: 'b' },
      ],
    }),
  },
  'relation-without-attributes': {
    schema: schemaFixture({ ...valid, c: { attributes: [] } }),
    also: ['relation-without-key'],
  },
  'relation-without-key': { schema: schemaFixture({ ...valid, c: { attributes: ['x TEXT'] } }) },
  'attribute-id-duplicate': {
    schema: changed({ attributes: [...base.attributes, { id: 'a#x', relation: 'a', name: 'y', type: 'TEXT' }] }),
  },
  'attribute-name-duplicate': {
    schema: changed({ attributes: [...base.attributes, { id: 'a#x2', relation: 'a', name: 'X', type: 'TEXT' }] }),
  },
  'attribute-name-empty': {
    schema: changed({ attributes: [...base.attributes, { id: 'a#', relation: 'a', name: '', type: 'TEXT' }] }),
  },
  'attribute-type-unknown': {
    schema: changed({
      attributes: [...base.attributes, { id: 'a#t', relation: 'a', name: 't', type: 'INT' as DataType }],
    }),
  },
  'attribute-of-no-relation': {
    schema: changed({ attributes: [...base.attributes, { id: 'z#t', relation: 'z', name: 't', type: 'TEXT' }] }),
  },
  'primary-key-of-no-relation': {
    schema: changed({ primaryKeys: [...base.primaryKeys, { relation: 'z', attributes: ['a#id'] }] }),
    also: ['primary-key-attribute-foreign'],
  },
  'primary-key-duplicate': {
    schema: changed({ primaryKeys: [...base.primaryKeys, { relation: 'a', attributes: ['a#x'] }] }),
  },
  'primary-key-empty': {
    schema: changed({ primaryKeys: [...base.primaryKeys.slice(1), { relation: 'a', attributes: [] }] }),
    also: ['foreign-key-target-no-key'],
  },
  'primary-key-attribute-missing': {
    schema: changed({ primaryKeys: [...base.primaryKeys.slice(1), { relation: 'a', attributes: ['a#nothing'] }] }),
    also: ['foreign-key-target-no-key'],
  },
  'primary-key-attribute-foreign': {
    schema: changed({ primaryKeys: [...base.primaryKeys.slice(1), { relation: 'a', attributes: ['a#id', 'b#m'] }] }),
    also: ['foreign-key-target-no-key'],
  },
  'primary-key-attribute-repeated': {
    schema: changed({
      primaryKeys: [...base.primaryKeys.slice(0, 1), { relation: 'b', attributes: ['b#m', 'b#n', 'b#m'] }],
    }),
    also: ['foreign-key-target-no-key'],
  },
  'foreign-key-id-duplicate': { schema: withKeys(key([['b#a', 'a#id']]), key([['b#self', 'a#id']])) },
  'foreign-key-relation-missing': {
    schema: withKeys(key([['z#a', 'a#id']], 'z')),
    also: ['foreign-key-attribute-missing'],
  },
  'foreign-key-target-missing': {
    schema: withKeys(key([['b#a', 'z#id']], 'b', 'z')),
    also: ['foreign-key-attribute-missing'],
  },
  'foreign-key-empty': { schema: withKeys(key([])) },
  'foreign-key-attribute-missing': { schema: withKeys(key([['b#nothing', 'a#id']])) },
  'foreign-key-attribute-foreign': { schema: withKeys(key([['b#a', 'b#m']])) },
  'foreign-key-pair-repeated': {
    schema: withKeys(
      key([
        ['b#a', 'a#id'],
        ['b#a', 'a#id'],
      ]),
    ),
  },
  'foreign-key-type-mismatch': { schema: withKeys(key([['a#code', 'a#id']], 'a')) },
  'foreign-key-target-only-unique': { schema: withKeys(key([['a#code', 'a#code']], 'a')) },
  'foreign-key-target-no-key': { schema: withKeys(key([['b#a', 'b#m']], 'b', 'b')) },
  'domain-constraint-attribute-missing': {
    schema: changed({ domainConstraints: [{ attribute: 'a#nothing', constraint: 'unique' }] }),
  },
  'domain-constraint-duplicate': {
    schema: changed({ domainConstraints: [...base.domainConstraints, ...base.domainConstraints.slice(0, 1)] }),
  },
  'domain-constraint-unknown': {
    schema: changed({ domainConstraints: [{ attribute: 'a#x', constraint: 'check' as 'unique' }] }),
  },
};

describe('validateSchema', () => {
  it('finds nothing in a valid schema and in an empty one', () => {
    expect(validateSchema(base)).toEqual([]);
    expect(validateSchema(EMPTY_SCHEMA)).toEqual([]);
    expect(validateSchema(catalogFixture(base))).toEqual([]);
  });

  it.each(SCHEMA_RULES)('reports %s, and nothing that is not broken', (rule) => {
    const { schema, also = [] } = breaches[rule];
    const found = validateSchema(schema);
    expect([...new Set(found.map((breach) => breach.rule))].sort()).toEqual([rule, ...also].sort());
    for (const breach of found) {
      expect(breach.severity).toBe('error');
      expect(breach.message).toMatch(/\.$/);
    }
  });

  it('reports all breaches, not the first', () => {
    const broken = schemaFixture({
      x: { attributes: ['id NUMERIC', 'ID TEXT'], references: ['id > gone: id', 'ID > x: id'] },
      y: { attributes: [] },
    });
    expect(validateSchema(broken).map(({ rule }) => rule)).toEqual([
      'relation-without-key',
      'relation-without-attributes',
      'relation-without-key',
      'attribute-id-duplicate',
      'attribute-name-duplicate',
      'foreign-key-target-missing',
      'foreign-key-attribute-missing',
      'foreign-key-target-no-key',
    ]);
  });

  it('takes for a warning what live databases do lawfully, and only in a catalog', () => {
    for (const rule of LAWFUL_IN_CATALOGS) {
      const found = validateSchema(catalogFixture(breaches[rule].schema)).filter((breach) => breach.rule === rule);
      expect(found.map(({ severity }) => severity)).toEqual(found.map(() => 'warning'));
      expect(found).not.toEqual([]);
    }
    const broken = catalogFixture(breaches['foreign-key-attribute-foreign'].schema);
    expect(validateSchema(broken).map(({ severity }) => severity)).toEqual(['error']);
  });

  it('asks views for no key, and accepts a UNIQUE of several attributes as a target', () => {
    const live = schemaFixture({
      seen: { attributes: ['x TEXT'] },
      t: { attributes: ['id NUMERIC', 'p NUMERIC', 'q NUMERIC'], key: ['id'] },
      s: { attributes: ['id NUMERIC', 'p NUMERIC', 'q NUMERIC'], key: ['id'], references: ['p, q > t: q, p'] },
    });
    const catalog = catalogFixture(live);
    const relations = { ...catalog.relations, seen: { nameParts: { relation: 'seen' }, kind: 'view' as const } };
    const uniqueKeys = [{ relation: 't', attributes: ['t#p', 't#q'] }];
    expect(validateSchema({ ...catalog, relations, uniqueKeys }).map(({ rule }) => rule)).toEqual([
      'foreign-key-target-only-unique',
    ]);
    expect(validateSchema({ ...catalog, relations }).map(({ rule }) => rule)).toEqual(['foreign-key-target-no-key']);
  });

  it('compares qualified names in a catalog', () => {
    const two = schemaFixture({
      'p.t': { attributes: ['id TEXT'], key: ['id'] },
      'q.t': { attributes: ['id TEXT'], key: ['id'] },
    });
    expect(validateSchema(two).map(({ rule }) => rule)).toEqual(['relation-name-duplicate']);
    expect(validateSchema(catalogFixture(two))).toEqual([]);
  });

  it('validates 70,000 attributes without going quadratic', () => {
    const catalog = largeCatalog(2_000);
    const started = performance.now();
    expect(validateSchema(catalog)).toEqual([]);
    expect(performance.now() - started).toBeLessThan(5_000);
  }, 20_000);
});
