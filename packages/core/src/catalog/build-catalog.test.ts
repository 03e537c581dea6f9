import { fixtureDialect } from '@askema/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexSchema } from '../schema/schema-index.ts';
import { validateSchema } from '../schema/validate-schema.ts';
import { buildCatalog, type CatalogDraft, type DraftRelation } from './build-catalog.ts';

const attribute = (name: string, nativeType = 'TEXT') => ({ name, nativeType });
const table = (relation: string, names: readonly string[], rest: Partial<DraftRelation> = {}): DraftRelation => ({
  nameParts: { relation },
  kind: 'table',
  attributes: names.map((name) => attribute(name)),
  ...rest,
});
const build = (relations: readonly DraftRelation[], rest: Partial<CatalogDraft> = {}) =>
  buildCatalog({ dialect: fixtureDialect, name: 'draft', relations, ...rest });
const insensitive = {
  ...fixtureDialect,
  identifiers: { ...fixtureDialect.identifiers, comparison: 'insensitive' },
} as const;

describe('buildCatalog', () => {
  it('makes ids, types, positions, constraints and what stands beside the schema', () => {
    const catalog = build([
      {
        nameParts: { database: 'd', schema: 's', relation: 't' },
        kind: 'table',
        comment: 'About t',
        rowCount: 3,
        primaryKey: ['id'],
        uniqueKeys: [['a'], ['a', 'at'], ['a']],
        checks: ['a > 1'],
        partitioning: { attributes: ['at', '_PARTITIONTIME'], filterRequired: true, kind: 'partition' },
        attributes: [
          { name: 'id', nativeType: 'NUMBER(9)', notNull: true, comment: 'The id' },
          { name: 'a', nativeType: 'JSON', nestedFields: [{ path: ['x'], nativeType: 'TEXT' }] },
          { name: 'at', nativeType: 'odd', type: 'DATETIME', defaultExpression: 'now()' },
        ],
      },
    ]);
    const [relation = '', id = '', a = '', at = ''] = ['d.s.t', 'd.s.t#id', 'd.s.t#a', 'd.s.t#at'];
    expect(catalog.schema).toEqual({
      relations: [{ id: relation, name: 't' }],
      attributes: [
        { id, relation, name: 'id', type: 'NUMERIC' },
        { id: a, relation, name: 'a', type: 'TEXT' },
        { id: at, relation, name: 'at', type: 'DATETIME' },
      ],
      primaryKeys: [{ relation, attributes: [id] }],
      foreignKeys: [],
      domainConstraints: [
        { attribute: id, constraint: 'not null' },
        { attribute: a, constraint: 'unique' },
      ],
    });
    expect(catalog.relations[relation]).toMatchObject({
      comment: 'About t',
      rowCount: 3,
      partitioning: { attributes: [at], filterRequired: true },
    });
    expect(catalog.attributes[id]).toEqual({ position: 1, nativeType: 'NUMBER(9)', comment: 'The id' });
    expect(catalog.attributes[at]).toEqual({ position: 3, nativeType: 'odd', defaultExpression: 'now()' });
    expect(catalog.uniqueKeys.map(({ attributes }) => attributes)).toEqual([[a], [a, at]]);
    expect([catalog.checks, catalog.incomplete]).toEqual([[{ relation, expression: 'a > 1' }], []]);
  });

  it('takes relations apart by case where the dialect says so, and says so in the catalog alone then', () => {
    const relations = [
      table('Foo', ['Id'], { primaryKey: ['id'] }),
      table('foo', ['id', 'x'], { foreignKeys: [{ attributes: ['X'], target: { relation: 'Foo' } }] }),
    ];
    expect(() => build(relations, { dialect: insensitive })).toThrow(/twice/);
    const identifiers = { ...insensitive.identifiers, relationComparison: 'sensitive' } as const;
    const catalog = build(relations, { dialect: { ...insensitive, identifiers }, include: ['Foo', 'foo'] });
    expect(catalog).toMatchObject({ nameComparison: 'insensitive', relationComparison: 'sensitive', incomplete: [] });
    expect(catalog.schema.foreignKeys.map(({ relation, target }) => [relation, target])).toEqual([['foo', 'Foo']]);
    expect(
      build(relations.slice(0, 1), { dialect: { ...insensitive, identifiers }, include: ['foo'] }).schema.relations,
    ).toEqual([]);
    expect(Object.keys(build(relations.slice(0, 1), { dialect: insensitive }))).not.toContain('relationComparison');
  });

  it('resolves foreign keys, by the primary key of the target when no attributes are named', () => {
    const order = table('o', ['id', 'c', 'again'], {
      foreignKeys: [
        { attributes: ['c'], target: { relation: 'c' } },
        { attributes: ['c'], target: { relation: 'c' }, targetAttributes: ['id'] },
        { attributes: ['again'], target: { relation: 'o' }, targetAttributes: ['id'] },
      ],
    });
    const catalog = build([order, table('c', ['id'], { primaryKey: ['id'] })]);
    expect(catalog.schema.foreignKeys.map(({ target, pairs }) => [target, pairs])).toEqual([
      ['c', [{ from: 'o#c', to: 'c#id' }]],
      ['o', [{ from: 'o#again', to: 'o#id' }]],
    ]);
    expect(catalog.incomplete).toEqual([]);
  });

  it('calls a foreign key a gap when its target was not read or does not fit, and leaves it out', () => {
    const keys = [
      { attributes: ['a'], target: { schema: 's', relation: 'secret' } },
      { attributes: ['a', 'b'], target: { relation: 'c' } },
      { attributes: ['nothing'], target: { relation: 'c' } },
      { attributes: [], target: { relation: 'c' } },
      { attributes: ['a'], target: { relation: 'keyless' } },
    ];
    const relations = [
      table('t', ['a', 'b'], { foreignKeys: keys }),
      table('c', ['id'], { primaryKey: ['id'] }),
      table('keyless', ['x']),
    ];
    const catalog = build(relations);
    expect(catalog.schema.foreignKeys).toEqual([]);
    expect(catalog.incomplete.map(({ subject, foreignKey }) => [subject, foreignKey?.target])).toEqual([
      ['t', 's.secret'],
      ['t', 'c'],
      ['t', 'c'],
      ['t', 'c'],
      ['t', 'keyless'],
    ]);
    expect(catalog.incomplete[0]?.reason).toContain('does not exist or may not be seen');
    expect(catalog.incomplete[1]?.reason).toContain('do not fit together');
    expect(catalog.incomplete[2]?.reason).toContain('t has no such column');
  });

  it('leaves out with `include` what it leaves out, without a gap; an empty list leaves out everything', () => {
    const relations = [
      table('o', ['c'], { foreignKeys: [{ attributes: ['c'], target: { relation: 'c' } }] }),
      table('c', ['id'], { primaryKey: ['id'] }),
    ];
    const catalog = build(relations, { include: ['o'] });
    expect(catalog.schema.relations.map(({ id }) => id)).toEqual(['o']);
    expect([catalog.schema.foreignKeys, catalog.incomplete]).toEqual([[], []]);
    expect(build(relations, { include: [] }).schema.relations).toEqual([]);
  });

  it('calls keys over attributes that are not there gaps', () => {
    const catalog = build([table('t', ['a'], { primaryKey: ['a', 'b'], uniqueKeys: [['lower(a)'], ['a'], []] })]);
    expect([catalog.schema.primaryKeys, catalog.uniqueKeys.length]).toEqual([[], 1]);
    expect(catalog.incomplete.map(({ reason }) => reason)).toEqual([
      'primary key (a, b): it has no attribute b',
      'unique key (lower(a)): it has no attribute lower(a)',
    ]);
  });

  it('refuses names that are twice the same to the dialect', () => {
    const twice = [table('T', ['a']), table('t', ['a'])];
    expect(build(twice).schema.relations).toHaveLength(2);
    for (const relations of [twice, [table('t', ['a', 'A'])]])
      expect(() => build(relations, { dialect: insensitive })).toThrow(
        expect.objectContaining({ code: 'SCHEMA_INVALID' }),
      );
  });

  it('finds names of keys as the dialect compares them', () => {
    const relations = [
      table('Orders', ['ID', 'c'], {
        primaryKey: ['id'],
        foreignKeys: [{ attributes: ['C'], target: { relation: 'CUSTOMERS' }, targetAttributes: ['id'] }],
      }),
      table('customers', ['Id'], { primaryKey: ['ID'] }),
    ];
    expect(build(relations, { dialect: insensitive }).schema.foreignKeys).toHaveLength(1);
    expect(build(relations).incomplete.length).toBeGreaterThan(0);
  });

  it('groups shards by pattern within one schema; one member is no family', () => {
    const shard = (schema: string, relation: string, familyPattern?: string): DraftRelation => ({
      ...table(relation, ['a'], { familyPattern }),
      nameParts: { schema, relation },
    });
    const { families } = build([
      shard('x', 'e_1', 'e_*'),
      shard('x', 'e_2', 'e_*'),
      shard('y', 'e_1', 'e_*'),
      shard('y', 'f_1', 'f_*'),
      shard('x', 'e_3', 'e_*'),
      shard('x', 'plain'),
    ]);
    expect(families).toEqual([{ pattern: 'e_*', members: ['x.e_1', 'x.e_2', 'x.e_3'] }]);
  });

  it('lists the standing of keys that nobody enforces', () => {
    const declared = table('t', ['a', 'b'], {
      primaryKey: ['a'],
      keyStanding: 'informational',
      foreignKeys: [{ attributes: ['b'], target: { relation: 'u' } }],
    });
    const catalog = build([
      declared,
      table('u', ['id'], { primaryKey: ['id'] }),
      table('v', ['x'], { keyStanding: 'inferred' }),
    ]);
    const [key] = catalog.schema.foreignKeys;
    expect(catalog.keyStanding).toEqual({ t: 'informational', [key?.id ?? '']: 'informational' });
  });

  it('gives the same fingerprint for other counts, and another one for another structure', () => {
    const one = build([table('t', ['a'], { rowCount: 1 })]);
    expect(build([table('t', ['a'], { rowCount: 2, byteCount: 9 })]).fingerprint).toBe(one.fingerprint);
    expect(build([table('t', ['a'], { comment: 'x' })]).fingerprint).not.toBe(one.fingerprint);
  });

  it('keeps any names apart, those of objects too, and makes a schema that holds', () => {
    const name = fc.oneof(
      fc.constantFrom('__proto__', 'constructor', 'toString', 'a.b', 'a', 'b', 'a#b', 'x>y(z)', '%2E', ''),
      fc.string({ maxLength: 4 }),
    );
    const names = fc.uniqueArray(
      name.filter((text) => text !== ''),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(names, names, (relations, columns) => {
        const drafts = relations.map((relation, index) =>
          table(relation, columns, {
            primaryKey: [columns[0] ?? ''],
            foreignKeys: [
              { attributes: [columns.at(-1) ?? ''], target: { relation: relations[Math.max(0, index - 1)] ?? '' } },
            ],
          }),
        );
        const catalog = build(drafts);
        const index = indexSchema(catalog);
        expect(catalog.schema.relations.map(({ id }) => catalog.relations[id]?.nameParts.relation)).toEqual(relations);
        for (const { id } of catalog.schema.relations)
          expect(index.attributesOf(id).map((own) => [own.name, catalog.attributes[own.id]?.position])).toEqual(
            columns.map((column, position) => [column, position + 1]),
          );
        expect([catalog.schema.foreignKeys.length, catalog.incomplete]).toEqual([relations.length, []]);
        const dangling = validateSchema(catalog).filter(({ rule }) => rule.endsWith('unknown'));
        expect(dangling).toEqual([]);
      }),
    );
  });
});
