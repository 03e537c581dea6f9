import { createCallContext, indexSchema, validateSchema } from '@askema/core';
import { expect } from 'vitest';
import type { FixtureTable } from '../fixture/adapter-fixture.ts';
import { MANY_TABLES } from '../fixture/many.ts';
import { type AdapterCase, errorOf, type OpenDatabase } from './adapter-bench.ts';

/** The catalog of a database by plain names, so that it can be compared with its fixture. */
export async function readNames({ adapter }: OpenDatabase) {
  const catalog = await adapter.introspect();
  const index = indexSchema(catalog);
  const nameOf = (id: string): string => index.attribute(id)?.name ?? `no attribute ${id}`;
  const tableOf = (id: string): string => index.relation(id)?.name ?? `no relation ${id}`;
  const tables = catalog.schema.relations.map(({ id, name }) => ({
    name,
    kind: catalog.relations[id]?.kind,
    columns: index.attributesOf(id).map((attribute) => ({
      name: attribute.name,
      type: attribute.type,
      notNull: index.isNotNull(attribute.id),
    })),
    key: index.primaryKey(id)?.attributes.map(nameOf) ?? [],
    unique: catalog.uniqueKeys
      .filter(({ relation }) => relation === id)
      .map(({ attributes }) => attributes.map(nameOf)),
    foreignKeys: index.foreignKeysFrom(id).map(({ target, pairs }) => ({
      from: pairs.map(({ from }) => nameOf(from)),
      target: tableOf(target),
      to: pairs.map(({ to }) => nameOf(to)),
    })),
  }));
  return { catalog, index, tables };
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number => (a.name < b.name ? -1 : 1);

function columnsOf({ columns, key }: FixtureTable) {
  return columns.map(({ name, type, notNull }) => ({ name, type, notNull: notNull || key.includes(name) }));
}

/** What introspection must see. */
export const INTROSPECTION_CASES = {
  'catalog-relations': {
    title: 'Every table and view, and nothing else.',
    async run(bench) {
      const database = await bench.open('shop');
      const { tables } = await readNames(database);
      const expected = [
        ...database.fixture.tables.map(({ name }) => ({ name, kind: 'table' })),
        ...database.fixture.views.map(({ name }) => ({ name, kind: 'view' })),
      ];
      expect(tables.map(({ name, kind }) => ({ name, kind })).sort(byName)).toEqual(expected.sort(byName));
    },
  },

  'catalog-attributes': {
    title: 'Columns in their order, with logical types and what must not be NULL.',
    async run(bench) {
      const database = await bench.open('shop');
      const { tables, catalog, index } = await readNames(database);
      for (const table of database.fixture.tables) {
        const found = tables.find(({ name }) => name === table.name);
        // Key columns are never NULL, whether the engine says so or not.
        const columns = found?.columns.map((column) => ({
          ...column,
          notNull: column.notNull || table.key.includes(column.name),
        }));
        expect({ table: table.name, columns }).toEqual({ table: table.name, columns: columnsOf(table) });
      }
      const customer = index.relationsNamed('customer')[0]?.id ?? '';
      const positions = index.attributesOf(customer).map(({ id }) => catalog.attributes[id]?.position);
      expect(positions).toEqual([1, 2, 3, 4, 5, 6]);
      expect(catalog.attributes[index.attributesOf(customer)[1]?.id ?? '']?.nativeType).toMatch(/\w/);
    },
  },

  'catalog-views': {
    title: 'A view has its columns too.',
    async run(bench) {
      const { tables } = await readNames(await bench.open('shop'));
      const view = tables.find(({ name }) => name === 'customer_spending');
      expect(view?.columns.map(({ name }) => name)).toEqual(['name', 'spent']);
    },
  },

  'catalog-primary-keys': {
    title: 'Primary keys, also composite ones, in key order.',
    async run(bench) {
      const database = await bench.open('shop');
      const { tables } = await readNames(database);
      for (const { name, key } of database.fixture.tables)
        expect({ name, key: tables.find((table) => table.name === name)?.key }).toEqual({ name, key });
    },
  },

  'catalog-foreign-keys': {
    title: 'Foreign keys, also composite ones and those to the same table.',
    async run(bench) {
      const database = await bench.open('shop');
      const { tables } = await readNames(database);
      for (const { name, foreignKeys } of database.fixture.tables)
        expect({ name, foreignKeys: tables.find((table) => table.name === name)?.foreignKeys }).toEqual({
          name,
          foreignKeys,
        });
    },
  },

  'catalog-unique-keys': {
    title: 'A unique column stands among the unique keys and among the domain constraints.',
    async run(bench) {
      const { tables, index } = await readNames(await bench.open('shop'));
      expect(tables.find(({ name }) => name === 'customer')?.unique).toContainEqual(['email']);
      const customer = index.relationsNamed('customer')[0]?.id ?? '';
      const email = index.attributeNamed(customer, 'email')?.id ?? '';
      expect(index.constraintsOn(email)).toContain('unique');
      const name = index.attributeNamed(customer, 'name')?.id ?? '';
      expect(index.constraintsOn(name)).not.toContain('unique');
    },
  },

  'catalog-row-counts': {
    title: 'Row counts, where the engine has them; an empty table has 0 rows, not an unknown number.',
    async run(bench) {
      const database = await bench.open('shop');
      const { catalog, index } = await readNames(database);
      for (const { name, rows } of database.fixture.tables) {
        const info = catalog.relations[index.relationsNamed(name)[0]?.id ?? ''];
        if (info?.rowCountExact !== false) expect({ name, rows: info?.rowCount }).toEqual({ name, rows: rows.length });
      }
    },
  },

  'catalog-valid': {
    title: 'The catalog keeps to Definition 1 as far as a live database can, and nothing is missing.',
    async run(bench) {
      const { catalog } = await readNames(await bench.open('shop'));
      expect(validateSchema(catalog).filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(catalog.incomplete).toEqual([]);
    },
  },

  'catalog-fingerprint': {
    title: 'Two looks give the same fingerprint; another database has another one.',
    async run(bench) {
      const shop = await bench.open('shop');
      const first = await shop.adapter.introspect();
      const second = await (await bench.openOwn('shop')).adapter.introspect();
      expect(second.fingerprint).toBe(first.fingerprint);
      const values = await (await bench.open('values')).adapter.introspect();
      expect(values.fingerprint).not.toBe(first.fingerprint);
    },
  },

  'catalog-include': {
    title: '`include` keeps what its globs name.',
    async run(bench) {
      const { adapter } = await bench.open('shop');
      const catalog = await adapter.introspect({ include: ['customer', '*LINE'.toLowerCase()] });
      expect(catalog.schema.relations.map(({ name }) => name).sort()).toEqual(['customer', 'order_line']);
      const targets = catalog.schema.foreignKeys.map(({ target }) => target);
      const known = new Set(catalog.schema.relations.map(({ id }) => id));
      expect(targets.filter((target) => !known.has(target))).toEqual([]);
    },
  },

  'catalog-hostile-names': {
    title: 'Names of every kind come back as they are.',
    needs: 'free names',
    async run(bench) {
      const { tables } = await readNames(await bench.open('names'));
      expect(tables.map(({ name }) => name).sort()).toEqual([...bench.names, 'columns', 'references'].sort());
      const columns = tables.find(({ name }) => name === 'columns')?.columns.map(({ name }) => name);
      expect(columns).toEqual(bench.names);
    },
  },

  'catalog-many-tables': {
    title: 'Five hundred tables are read, with their columns and keys: at once, not one by one.',
    async run(bench) {
      const { adapter } = await bench.open('many');
      const catalog = await adapter.introspect();
      expect(catalog.schema.relations).toHaveLength(MANY_TABLES);
      expect(catalog.schema.foreignKeys).toHaveLength(MANY_TABLES - 1);
    },
  },

  'catalog-abort': {
    title: 'An abort stops it.',
    async run(bench) {
      const { adapter } = await bench.open('many');
      const controller = new AbortController();
      const promise = adapter.introspect({ context: createCallContext({ signal: controller.signal }) });
      controller.abort();
      expect((await errorOf(promise)).code).toBe('ABORTED');
    },
  },
} satisfies Record<string, AdapterCase>;
