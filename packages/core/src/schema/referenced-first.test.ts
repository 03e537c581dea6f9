import { expect, it } from 'vitest';
import { referencedFirst } from './referenced-first.ts';
import type { Schema } from './schema.ts';
import { indexSchema } from './schema-index.ts';

/** Relations of one letter each; `b>a` is a foreign key of b. */
function indexOf(relations: readonly string[], keys: readonly string[]) {
  const schema: Schema = {
    relations: relations.map((id) => ({ id, name: id })),
    attributes: [],
    primaryKeys: [],
    foreignKeys: keys.map((text) => {
      const [relation = '', target = ''] = text.split('>');
      return { id: text, relation, target, pairs: [] };
    }),
    domainConstraints: [],
  };
  return indexSchema(schema);
}

it.each([
  ['what nothing refers to stays in its place', 'c a b', '', 'c a b'],
  ['targets come first, also over several steps', 'c b a d', 'c>b b>a', 'a b c d'],
  ['the first relation of a cycle comes last, and a relation may refer to itself', 'a b c', 'a>b b>c c>a b>b', 'c b a'],
  ['what is not asked for is not followed', 'a c', 'a>b b>c', 'a c'],
])('%s', (_, ids, keys, expected) => {
  const index = indexOf(['a', 'b', 'c', 'd'], keys === '' ? [] : keys.split(' '));
  expect(referencedFirst(index, ids.split(' ')).join(' ')).toBe(expected);
});

it('a chain of 50,000 foreign keys needs no stack', () => {
  const ids = Array.from({ length: 50_000 }, (_, at) => `r${at}`);
  const index = indexOf(
    ids,
    ids.slice(1).map((target, at) => `r${at}>${target}`),
  );
  expect(referencedFirst(index, ids)).toEqual(ids.toReversed());
});
