import { catalogFixture, largeCatalog, schemaFixture } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { indexSchema } from './schema-index.ts';

const shop = schemaFixture({
  'sales.Customers': { attributes: ['id NUMERIC', 'Name TEXT not null', 'email TEXT unique'], key: ['id'] },
  'sales.orders': {
    attributes: ['id NUMERIC', 'customer NUMERIC', 'payer NUMERIC'],
    key: ['id'],
    references: ['customer > sales.Customers: id', 'payer > sales.Customers: id'],
  },
  'archive.orders': { attributes: ['id NUMERIC', 'name TEXT'] },
  'sales.lines': {
    attributes: ['order NUMERIC', 'line NUMERIC', 'parent NUMERIC'],
    key: ['order', 'line'],
    references: ['order > sales.orders: id', 'order, parent > sales.lines: order, line'],
  },
});

describe('indexSchema', () => {
  it('finds relations by id, by name, and by any end of the qualified name', () => {
    for (const index of [indexSchema(shop), indexSchema(catalogFixture(shop))]) {
      expect(index.relation('sales.customers')?.name).toBe('Customers');
      expect(index.relationsNamed('CUSTOMERS').map(({ id }) => id)).toEqual(['sales.customers']);
      expect(index.relationsNamed('orders').map(({ id }) => id)).toEqual(['sales.orders', 'archive.orders']);
      expect(index.relationsNamed(['archive', 'orders']).map(({ id }) => id)).toEqual(['archive.orders']);
      expect(index.relationsNamed('archive.orders').map(({ id }) => id)).toEqual(['archive.orders']);
      expect(index.relationsNamed('nothing.orders')).toEqual([]);
      expect(index.relationsNamed('constructor')).toEqual([]);
    }
  });

  it('takes a dot in a bare name for part of the name first', () => {
    const dotted = catalogFixture(
      {
        ...schemaFixture({ plain: { attributes: ['id NUMERIC'] } }),
        relations: [
          { id: 'a%2Eb', name: 'a.b' },
          { id: 'a.b', name: 'b' },
        ],
      },
      {
        relations: {
          'a%2Eb': { nameParts: { relation: 'a.b' }, kind: 'table' },
          'a.b': { nameParts: { schema: 'a', relation: 'b' }, kind: 'table' },
        },
      },
    );
    expect(
      indexSchema(dotted)
        .relationsNamed('a.b')
        .map(({ id }) => id),
    ).toEqual(['a%2Eb']);
    expect(
      indexSchema(dotted)
        .relationsNamed(['a', 'b'])
        .map(({ id }) => id),
    ).toEqual(['a.b']);
  });

  it('compares names exactly where the catalog does', () => {
    const exact = indexSchema(catalogFixture(shop, { nameComparison: 'sensitive' }));
    expect(exact.relationsNamed('customers')).toEqual([]);
    expect(exact.relationsNamed('Customers')).toHaveLength(1);
    expect(exact.attributeNamed('sales.customers', 'name')).toBeUndefined();
  });

  it('finds attributes in order, by name within a relation, and everywhere', () => {
    const index = indexSchema(shop);
    expect(index.attributesOf('sales.lines').map(({ name }) => name)).toEqual(['order', 'line', 'parent']);
    expect(index.attributesOf('nothing')).toEqual([]);
    expect(index.attributeNamed('sales.customers', 'NAME')?.id).toBe('sales.customers#name');
    expect(index.attributesNamed('name').map(({ relation }) => relation)).toEqual([
      'sales.customers',
      'archive.orders',
    ]);
  });

  it('knows keys, constraints and neighbours', () => {
    const index = indexSchema(shop);
    expect(index.primaryKey('sales.lines')?.attributes).toEqual(['sales.lines#order', 'sales.lines#line']);
    expect(index.primaryKey('archive.orders')).toBeUndefined();
    expect(index.foreignKeysFrom('sales.orders').map(({ target }) => target)).toEqual([
      'sales.customers',
      'sales.customers',
    ]);
    expect(index.foreignKeysTo('sales.orders').map(({ relation }) => relation)).toEqual(['sales.lines']);
    expect(index.isNotNull('sales.customers#name')).toBe(true);
    expect(index.isNotNull('sales.customers#email')).toBe(false);
    expect(index.isUnique('sales.customers#email')).toBe(true);
    expect(index.isUnique('sales.customers#id')).toBe(true);
    expect(index.isUnique('sales.lines#order')).toBe(false);
    expect(index.neighbours('sales.lines')).toEqual(['sales.orders']);
    expect(index.neighbours('sales.orders')).toEqual(['sales.customers', 'sales.lines']);
  });

  it('indexes and looks up 70,000 attributes in well under a second', () => {
    const catalog = largeCatalog(2_000);
    const started = performance.now();
    const index = indexSchema(catalog);
    for (const { id, name, relation } of catalog.schema.attributes) {
      if (index.attribute(id) === undefined || index.attributeNamed(relation, name)?.id !== id) throw new Error(id);
    }
    for (const { id, name } of catalog.schema.relations) {
      if (index.relationsNamed(name)[0]?.id !== id || index.attributesOf(id).length !== 35) throw new Error(id);
    }
    expect(catalog.schema.attributes).toHaveLength(70_000);
    // A quadratic look-up takes minutes; the bound is loose because test machines are busy.
    expect(performance.now() - started).toBeLessThan(5_000);
  }, 20_000);
});
