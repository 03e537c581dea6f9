import { attributeId, type DomainConstraint, indexSchema, type Schema } from '@askema/core';
import { sqliteDialect, writeDdl } from '@askema/dialects';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TestValue } from '../model/test-plan.ts';
import { type DesignFixture, designFixture } from '../test-plan/run-fixture.ts';
import { memoryStore } from './memory-store.ts';

const shape = fc.record({
  wide: fc.boolean(),
  /** To an earlier relation, as a part of the key. */
  keyReference: fc.option(fc.nat()),
  /** To any relation, itself too. */
  reference: fc.option(fc.nat()),
  notNull: fc.boolean(),
});

/** Relations whose keys, facts and references take the same few values, so that they meet and miss. */
const schemas = fc.array(shape, { minLength: 1, maxLength: 3 }).map((shapes): Schema => {
  const keys: string[][] = [];
  const references: string[][] = [];
  for (const [at, { wide, keyReference }] of shapes.entries()) {
    const far = keyReference === null || at === 0 ? undefined : keyReference % at;
    const near = (far === undefined ? [] : (keys[far] ?? [])).map((name) => `near ${name}`);
    references.push(far === undefined ? [] : [`${near.join(', ')} > r${far}: ${keys[far]?.join(', ')}`]);
    keys.push([`k${at}`, ...(wide ? [`w${at}`] : []), ...near]);
  }
  const fixtures = shapes.map(({ reference }, at): [string, DesignFixture] => {
    const key = keys[at] ?? [];
    const far = reference === null ? undefined : reference % shapes.length;
    const near = (far === undefined ? [] : (keys[far] ?? [])).map((name) => `far ${name}`);
    const own = far === undefined ? [] : [`${near.join(', ')} > r${far}: ${keys[far]?.join(', ')}`];
    const attributes = [...key, ...near, `fact${at}`, `mail${at} unique`];
    return [`r${at}`, { attributes, key, references: [...(references[at] ?? []), ...own] }];
  });
  const { schema } = designFixture(Object.fromEntries(fixtures));
  const notNull = shapes.flatMap(({ notNull: wanted }, at): DomainConstraint[] =>
    wanted ? [{ attribute: attributeId(`r${at}`, `fact${at}`), constraint: 'not null' }] : [],
  );
  return { ...schema, domainConstraints: [...schema.domainConstraints, ...notNull] };
});

const operations = fc.array(
  fc.record({
    relation: fc.nat(),
    isUpdate: fc.boolean(),
    values: fc.array(
      fc.oneof({ weight: 6, arbitrary: fc.constantFrom('a', 'b') }, { weight: 1, arbitrary: fc.constant(null) }),
      { minLength: 9, maxLength: 9 },
    ),
    key: fc.array(fc.constantFrom('a', 'b'), { minLength: 9, maxLength: 9 }),
    kept: fc.nat(),
  }),
  { minLength: 10, maxLength: 40 },
);

test('refuses what SQLite refuses, and takes what it takes', async () => {
  const seen = { accepted: 0, refused: 0, changed: 0 };
  await fc.assert(
    fc.asyncProperty(schemas, operations, async (schema, list) => {
      const index = indexSchema(schema);
      const store = memoryStore(schema);
      const database = new Database(':memory:');
      try {
        database.pragma('foreign_keys = ON');
        database.exec(writeDdl(schema, sqliteDialect));
        for (const { relation: number, isUpdate, values, key, kept } of list) {
          const { id, name } = schema.relations[number % schema.relations.length] ?? { id: '', name: '' };
          const where = (index.primaryKey(id)?.attributes ?? []).map((attribute, at) => ({
            attribute: { id: attribute, name: index.attribute(attribute)?.name ?? '' },
            value: key[at % key.length] ?? null,
          }));
          const written = index
            .attributesOf(id)
            .map((attribute, at) => ({ attribute, value: values[at % values.length] ?? null }))
            .filter((_, at) => !isUpdate || (kept >> at) % 2 === 0)
            // Where rows of one relation refer to each other, SQLite refuses to write a key the value that it has.
            .filter(
              (cell) =>
                !isUpdate || where.every((one) => one.attribute.id !== cell.attribute.id || one.value !== cell.value),
            );
          if (written.length === 0) continue;
          const map = (cells: typeof where) =>
            new Map<string, TestValue>(cells.map(({ attribute, value }) => [attribute.id, value]));
          const names = (cells: typeof where, after: string, between: string) =>
            cells.map(({ attribute }) => `"${attribute.name}"${after}`).join(between);
          const sql = isUpdate
            ? `UPDATE "${name}" SET ${names(written, ' = ?', ', ')} WHERE ${names(where, ' = ?', ' AND ')}`
            : `INSERT INTO "${name}" (${names(written, '', ', ')}) VALUES (${written.map(() => '?').join(', ')})`;
          const bound = [...written, ...(isUpdate ? where : [])].map(({ value }) => value);
          let expected: boolean;
          try {
            expected = database.prepare(sql).run(...bound).changes === 1;
          } catch (thrown) {
            if (!(thrown instanceof Error) || !/constraint failed/.test(thrown.message)) throw thrown;
            expected = false;
          }
          const said = isUpdate
            ? await store.update(id, map(where), map(written))
            : await store.insert(id, map(written));
          expect(said === undefined, `${sql} with ${JSON.stringify(bound)}: ${said ?? 'accepted'}`).toBe(expected);
          seen[expected ? (isUpdate ? 'changed' : 'accepted') : 'refused'] += 1;
        }
      } finally {
        database.close();
      }
    }),
    { numRuns: 150 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(50);
}, 60_000);
