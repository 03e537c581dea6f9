import {
  attributeId,
  DATA_TYPES,
  type DomainConstraint,
  type ForeignKey,
  foldName,
  foreignKeyId,
  type PrimaryKey,
  relationId,
  type Schema,
} from '@askema/core';
import * as fc from 'fast-check';

/** For tests: names that people use, and names that nobody should. */
const name = fc
  .oneof(
    fc.constantFrom(
      'id',
      'name',
      'Name',
      'order',
      'SELECT',
      'group by',
      'a"b',
      "it's",
      'x.y',
      'größe',
      '名前',
      '; DROP TABLE t; --',
      '[x]',
      '`x`',
      '/*',
      'a\nb',
      '1st',
      'one',
      'pk',
      '__proto__',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
  )
  .filter(
    (text) => text.trim() !== '' && !text.includes('\0') && !/\p{Surrogate}/u.test(text) && !/^sqlite_/i.test(text),
  );

const uniqueNames = (least: number, most: number): fc.Arbitrary<string[]> =>
  fc.uniqueArray(name, { minLength: least, maxLength: most, selector: (text) => foldName(text, 'insensitive') });

const relation = fc.record({
  attributes: uniqueNames(1, 5),
  types: fc.array(fc.constantFrom(...DATA_TYPES), { minLength: 5, maxLength: 5 }),
  notNull: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
  unique: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
  key: fc.uniqueArray(fc.nat(4), { maxLength: 3 }),
});
const link = fc.record({
  from: fc.nat(5),
  to: fc.nat(5),
  columns: fc.uniqueArray(fc.nat(4), { minLength: 3, maxLength: 3 }),
});

/**
 * For tests: random schemas with keys of several attributes, foreign keys to whole primary keys (cycles and self
 * references among them), and hostile names. `unique` is never set on an attribute that is the whole primary key, where
 * it says nothing new.
 */
export const randomSchema: fc.Arbitrary<Schema> = fc
  .record({
    names: uniqueNames(1, 6),
    relations: fc.array(relation, { minLength: 6, maxLength: 6 }),
    links: fc.array(link, { maxLength: 6 }),
  })
  .map(({ names, relations, links }) => {
    const tables = names.flatMap((own, position) => {
      const drawn = relations[position];
      if (drawn === undefined) return [];
      const id = relationId([own]);
      const attributes = drawn.attributes.map((attribute, index) => ({
        id: attributeId(id, attribute),
        relation: id,
        name: attribute,
        type: drawn.types[index] ?? ('TEXT' as const),
      }));
      const key = drawn.key.flatMap((index) => attributes[index]?.id ?? []);
      return [{ id, name: own, attributes, key, drawn }];
    });
    const constraints = tables.flatMap(({ attributes, key, drawn }) =>
      attributes.flatMap(({ id }, index): DomainConstraint[] => [
        ...(drawn.notNull[index] ? [{ attribute: id, constraint: 'not null' as const }] : []),
        ...(drawn.unique[index] && !(key.length === 1 && key[0] === id)
          ? [{ attribute: id, constraint: 'unique' as const }]
          : []),
      ]),
    );
    return {
      relations: tables.map(({ id, name: own }) => ({ id, name: own })),
      attributes: tables.flatMap(({ attributes }) => attributes),
      primaryKeys: tables.flatMap(({ id, key }): PrimaryKey[] =>
        key.length === 0 ? [] : [{ relation: id, attributes: key }],
      ),
      foreignKeys: links.flatMap(({ from, to, columns }): ForeignKey[] => {
        const [source, target] = [tables[from], tables[to]];
        if (source === undefined || target === undefined || target.key.length === 0) return [];
        const pairs = target.key.flatMap((attribute, index) => {
          const own = source.attributes[columns[index] ?? 9];
          return own === undefined ? [] : [{ from: own.id, to: attribute }];
        });
        if (pairs.length < target.key.length) return [];
        return [{ id: foreignKeyId(source.id, target.id, pairs), relation: source.id, target: target.id, pairs }];
      }),
      domainConstraints: constraints,
    };
  })
  .map((schema) => ({
    ...schema,
    foreignKeys: schema.foreignKeys.filter((key, index, all) => all.findIndex(({ id }) => id === key.id) === index),
  }));
