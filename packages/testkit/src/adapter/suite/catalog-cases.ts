import { createCallContext, indexSchema, qualifiedName } from '@askema/core';
import { splitStatements } from '@askema/sql';
import { expect } from 'vitest';
import { defineFixture } from '../fixture/adapter-fixture.ts';
import { referencedNames } from '../fixture/names.ts';
import { SCHEMA_NAMES } from '../fixture/schemas.ts';
import { type AdapterCase, errorOf } from './adapter-bench.ts';
import { readNames } from './introspection-cases.ts';

/** A schema that no fixture has: what is asserted of it must come from the statements that the adapter ran. */
const WRITTEN = defineFixture('shop', {
  author: { columns: { id: 'NUMERIC!', 'pen name': 'TEXT!', Born: 'DATETIME' }, key: ['id'] },
  Order: {
    columns: { number: 'NUMERIC!', select: 'TEXT!', author: 'NUMERIC', paid: 'BOOL', scan: 'BINARY' },
    key: ['select', 'number'],
    foreignKeys: [{ from: ['author'], target: 'author', to: ['id'] }],
  },
});

/** What introspection must see beyond tables, columns and keys. */
export const CATALOG_CASES = {
  'catalog-comments': {
    title: 'Comments of columns, word by word; what has none has none.',
    needs: 'comments',
    async run(bench) {
      const database = await bench.open('shop');
      const { catalog, index } = await readNames(database);
      const customer = index.relationsNamed('customer')[0]?.id ?? '';
      const comments = index
        .attributesOf(customer)
        .map(({ id, name }) => ({ name, comment: catalog.attributes[id]?.comment || undefined }));
      const table = database.fixture.tables.find(({ name }) => name === 'customer');
      expect(comments).toEqual(table?.columns.map(({ name, comment }) => ({ name, comment })));
    },
  },

  'catalog-table-comments': {
    title: 'Comments of tables, word by word; what has none has none.',
    needs: 'table comments',
    async run(bench) {
      const database = await bench.open('shop');
      const { catalog, index } = await readNames(database);
      const commentOf = (name: string) =>
        catalog.relations[index.relationsNamed(name)[0]?.id ?? '']?.comment || undefined;
      for (const { name, comment } of database.fixture.tables)
        expect({ name, comment: commentOf(name) }).toEqual({ name, comment });
    },
  },

  'catalog-foreign-key-names': {
    title: 'Foreign keys between names that need quotes, or that differ in case or script.',
    needs: 'free names',
    async run(bench) {
      const { tables } = await readNames(await bench.open('names'));
      const keys = tables.find(({ name }) => name === 'references')?.foreignKeys ?? [];
      const byTarget = (a: { readonly target: string }, b: { readonly target: string }) =>
        a.target < b.target ? -1 : 1;
      const expected = referencedNames(bench.names).map((name) => ({ from: [name], target: name, to: ['id'] }));
      expect(keys.toSorted(byTarget)).toEqual(expected.sort(byTarget));
    },
  },

  'catalog-nested-types': {
    title: 'Nested columns are there, with the type that the engine writes, and count as text.',
    needs: 'nested types',
    async run(bench) {
      const { catalog, index } = await readNames(await bench.open('nested'));
      const document = index.relationsNamed('document')[0]?.id ?? '';
      expect(index.attributesOf(document).map(({ name, type }) => [name, type])).toEqual([
        ['id', 'NUMERIC'],
        ['tags', 'TEXT'],
        ['address', 'TEXT'],
        ['items', 'TEXT'],
      ]);
      for (const { id } of index.attributesOf(document)) expect(catalog.attributes[id]?.nativeType).toMatch(/\w/);
    },
  },

  'catalog-nested-fields': {
    title: 'The fields inside of nested columns, by their paths.',
    needs: 'nested fields',
    async run(bench) {
      const { catalog, index } = await readNames(await bench.open('nested'));
      const document = index.relationsNamed('document')[0]?.id ?? '';
      const pathsOf = (name: string): readonly (readonly string[])[] => {
        const info = catalog.attributes[index.attributeNamed(document, name)?.id ?? ''];
        return info?.nestedFields?.map(({ path }) => path) ?? [];
      };
      expect(pathsOf('address')).toEqual(expect.arrayContaining([['city'], ['zip']]));
      expect(pathsOf('items')).toEqual(
        expect.arrayContaining([
          ['[]', 'sku'],
          ['[]', 'quantity'],
        ]),
      );
    },
  },

  'catalog-schemas': {
    title: 'Tables of one name in two schemas are two relations, each with its own columns, keys and rows.',
    needs: 'schemas',
    async run(bench) {
      const { adapter } = await bench.open('schemas');
      const catalog = await adapter.introspect();
      const index = indexSchema(catalog);
      const entries = SCHEMA_NAMES.map((schema) => {
        const id = Object.keys(catalog.relations).find((key) => {
          const parts = catalog.relations[key]?.nameParts;
          return parts?.schema === schema && parts.relation === 'entry';
        });
        return { id: id ?? `no entry in ${schema}`, schema };
      });
      const columns = entries.map(({ id }) => index.attributesOf(id).map(({ name }) => name));
      expect(columns).toEqual([
        ['id', 'note'],
        ['id', 'amount', 'parent'],
      ]);
      expect(catalog.schema.foreignKeys.map(({ relation, target }) => [relation, target])).toEqual([
        [entries[1]?.id, entries[1]?.id],
      ]);
      const counts: unknown[] = [];
      for (const { id } of entries) {
        const name = qualifiedName(catalog.relations[id]?.nameParts ?? { relation: '' }, adapter.dialect, 'always');
        counts.push((await adapter.query(`SELECT COUNT(*) FROM ${name}`)).rows[0]?.[0]);
      }
      expect(counts).toEqual([1, 2]);
      const included = await adapter.introspect({ include: [`*${SCHEMA_NAMES[1]}.entry`] });
      expect(included.schema.relations.map(({ id }) => id)).toEqual([entries[1]?.id]);
    },
  },

  'ddl-accepted': {
    title: 'The statements that create a schema are taken, and what they create is what was meant.',
    needs: 'writing',
    needsDdl: true,
    async run(bench) {
      const database = await bench.openOwn('shop', 'write');
      const { adapter } = database;
      const ddl = bench.ddl(WRITTEN.schema);
      for (const { start, end } of splitStatements(ddl, adapter.dialect.lexer))
        await adapter.query(ddl.slice(start, end), { access: 'write' });
      const { tables } = await readNames(database);
      for (const table of WRITTEN.tables) {
        const found = tables.find(({ name }) => name === table.name);
        expect(found?.columns.map(({ name }) => name)).toEqual(table.columns.map(({ name }) => name));
        expect(found?.columns.map(({ type }) => type)).toEqual(table.columns.map(({ type }) => type));
        expect({ key: found?.key, foreignKeys: found?.foreignKeys }).toEqual({
          key: table.key,
          foreignKeys: table.foreignKeys,
        });
      }
    },
  },

  'catalog-include-nothing': {
    title: 'Nothing that matches: an empty catalog, and no error.',
    async run(bench) {
      const { adapter } = await bench.open('shop');
      expect((await adapter.introspect()).schema.relations.length).toBeGreaterThan(0);
      const catalog = await adapter.introspect({ include: ['no_such_table_*'] });
      expect([catalog.schema.relations, catalog.schema.foreignKeys]).toEqual([[], []]);
    },
  },

  'catalog-closed': {
    title: 'A closed adapter reads no catalog, and an aborted call none either.',
    async run(bench) {
      const { adapter } = await bench.openOwn('shop');
      const context = createCallContext({ signal: AbortSignal.abort() });
      expect((await errorOf(adapter.introspect({ context }))).code).toBe('ABORTED');
      await adapter.close();
      expect((await errorOf(adapter.introspect())).code).toBe('DATABASE_CLOSED');
    },
  },
} satisfies Record<string, AdapterCase>;
