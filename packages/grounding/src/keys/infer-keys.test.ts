import { type AttributeId, type Catalog, createCallContext } from '@askema/core';
import { catalogFixture, schemaFixture } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { memoryDatabase } from '../explore/test-support/memory-database.ts';
import { servicesOf } from '../services.ts';
import { type InferKeysOptions, inferKeys, withInferredKeys } from './infer-keys.ts';

type Relations = Parameters<typeof schemaFixture>[0];

async function infer(
  relations: Relations,
  script: string,
  options: Partial<InferKeysOptions> = {},
  { masked = [], views = [] }: { masked?: AttributeId[]; views?: string[] } = {},
) {
  const plain = catalogFixture(schemaFixture(relations));
  const catalog: Catalog = {
    ...plain,
    relations: Object.fromEntries(
      Object.entries(plain.relations).map(([id, info]) => [id, views.includes(id) ? { ...info, kind: 'view' } : info]),
    ),
    attributes: Object.fromEntries(
      Object.entries(plain.attributes).map(([id, info]) => [
        id,
        masked.includes(id) ? { ...info, masked: true } : info,
      ]),
    ),
  };
  const { adapter, sent } = memoryDatabase(script);
  const keys = await inferKeys(adapter, catalog, { context: createCallContext(), ...options });
  const text = servicesOf(adapter).compressor(withInferredKeys(catalog, keys), {}).text;
  await adapter.close();
  const found = keys.flatMap(({ foreignKey, matchedShare, valueCount }) =>
    foreignKey.pairs.map(({ from, to }) => `${from} > ${to} ${Math.round(100 * matchedShare)} % of ${valueCount}`),
  );
  return { keys: found, sent, text };
}

const PEOPLE = { attributes: ['id NUMERIC', 'name TEXT'], key: ['id'] };
const PEOPLE_ROWS = `CREATE TABLE people (id, name); INSERT INTO people VALUES (1, 'Ann'), (2, 'Bob'), (3, 'Cid');`;

describe('inferKeys', () => {
  it.each([
    ['the name of the relation and its key', 'people_id', ['o#people_id > people#id 100 % of 3']],
    ['the same behind other words', 'billing_people_id', ['o#billing_people_id > people#id 100 % of 3']],
    ['the name of the relation alone', 'People', ['o#people > people#id 100 % of 3']],
    ['a bare key name, which every relation has', 'id', []],
    ['another name', 'amount', []],
  ])('names suggest keys: %s', async (_, name, expected) => {
    const { keys } = await infer(
      { people: PEOPLE, o: { attributes: [`${name} NUMERIC`, 'total NUMERIC'] } },
      `${PEOPLE_ROWS} CREATE TABLE o (${name}, total); INSERT INTO o VALUES (1, 5), (2, 6), (3, 7), (NULL, 8);`,
    );
    expect(keys).toEqual(expected);
  });

  it('finds the same name as a key, the short name of a key, and the last word of a relation', async () => {
    const { keys } = await infer(
      {
        airports: { attributes: ['airport_code TEXT'], key: ['airport_code'] },
        users: { attributes: ['uid NUMERIC'], key: ['uid'] },
        superhero: { attributes: ['id NUMERIC'], key: ['id'] },
        o: { attributes: ['source_airport TEXT', 'airport_code TEXT', 'user_id NUMERIC', 'hero_id NUMERIC'] },
      },
      `CREATE TABLE airports (airport_code); INSERT INTO airports VALUES ('AAA'), ('BBB'), ('CCC');
       CREATE TABLE users (uid); INSERT INTO users VALUES (1), (2), (3);
       CREATE TABLE superhero (id); INSERT INTO superhero VALUES (1), (2), (3);
       CREATE TABLE o (source_airport, airport_code, user_id, hero_id);
       INSERT INTO o VALUES ('AAA', 'BBB', 1, 1), ('BBB', 'AAA', 2, 3);`,
    );
    expect(keys).toEqual([
      'o#airport_code > airports#airport_code 100 % of 2',
      'o#user_id > users#uid 100 % of 2',
      'o#source_airport > airports#airport_code 100 % of 2',
      'o#hero_id > superhero#id 100 % of 2',
    ]);
  });

  it('a name that values do not confirm is none; some orphans are told by the share', async () => {
    const rows = (last: number): string =>
      `CREATE TABLE people (id); CREATE TABLE o (people_id);
       ${Array.from({ length: 20 }, (_, n) => `INSERT INTO people VALUES (${n}); INSERT INTO o VALUES (${n < 19 ? n : last});`).join('')}`;
    const relations = { people: { attributes: ['id NUMERIC'], key: ['id'] }, o: { attributes: ['people_id NUMERIC'] } };
    expect((await infer(relations, rows(99))).keys).toEqual(['o#people_id > people#id 95 % of 20']);
    const others =
      'CREATE TABLE people (id); INSERT INTO people VALUES (1); CREATE TABLE o (people_id); INSERT INTO o VALUES (1), (7);';
    expect((await infer(relations, others)).keys).toEqual([]);
  });

  it('without rows only a full name is believed', async () => {
    const relations = { people: PEOPLE, o: { attributes: ['people_id NUMERIC', 'boss_people NUMERIC'] } };
    const { keys } = await infer(relations, `${PEOPLE_ROWS} CREATE TABLE o (people_id, boss_people);`);
    expect(keys).toEqual(['o#people_id > people#id 0 % of 0']);
  });

  it('the relation that a key is named after comes before others whose key has that name; of two others none', async () => {
    const key = { attributes: ['student_id NUMERIC'], key: ['student_id'] };
    const rows = (name: string): string => `CREATE TABLE ${name} (student_id); INSERT INTO ${name} VALUES (1), (2);`;
    const o = { attributes: ['student_id NUMERIC'] };
    const all = await infer({ details: key, students: key, o }, ['details', 'students', 'o'].map(rows).join(''));
    expect(all.keys).toContain('o#student_id > students#student_id 100 % of 2');
    expect(all.keys).toContain('details#student_id > students#student_id 100 % of 2');
    expect((await infer({ a: key, b: key, o }, ['a', 'b', 'o'].map(rows).join(''))).keys).toEqual([]);
  });

  it('counts, and keys that a relation has of its own, point nowhere', async () => {
    const { keys } = await infer(
      {
        semester: { attributes: ['semester_id NUMERIC'], key: ['semester_id'] },
        company: { attributes: ['company_id NUMERIC', 'semesters NUMERIC'], key: ['company_id'] },
        companies: { attributes: ['id NUMERIC'], key: ['id'] },
      },
      `CREATE TABLE semester (semester_id); INSERT INTO semester VALUES (1), (2), (3);
       CREATE TABLE company (company_id, semesters); INSERT INTO company VALUES (1, 2), (2, 3);
       CREATE TABLE companies (id); INSERT INTO companies VALUES (1), (2);`,
    );
    expect(keys).toEqual([]);
  });

  it('numbers in the range of one key suggest one where no name does, but not of keys that count from 1', async () => {
    const script = (first: number): string =>
      `CREATE TABLE pupil (id); CREATE TABLE likes (liked_id, zip);
       ${Array.from({ length: 12 }, (_, n) => `INSERT INTO pupil VALUES (${first + 7 * n}); INSERT INTO likes VALUES (${first + 7 * (n % 6)}, ${first + 7 * n});`).join('')}`;
    const relations = {
      pupil: { attributes: ['id NUMERIC'], key: ['id'] },
      likes: { attributes: ['liked_id NUMERIC', 'zip NUMERIC'] },
    };
    expect((await infer(relations, script(1_001))).keys).toEqual(['likes#liked_id > pupil#id 100 % of 6']);
    const dense = script(1).replaceAll(/\d+(?=\);)/g, (n) => String(Math.ceil(Number(n) / 7)));
    expect((await infer(relations, dense)).keys).toEqual([]);
  });

  it('declared keys, masked attributes, views, and what there is no time for, are not asked for', async () => {
    const script = `${PEOPLE_ROWS} CREATE TABLE o (people_id); INSERT INTO o VALUES (1), (2);`;
    const relations = { people: PEOPLE, o: { attributes: ['people_id NUMERIC'] } };
    const declared = { ...relations, o: { ...relations.o, references: ['people_id > people: id'] } };
    for (const { keys, sent } of [
      await infer(declared, script),
      await infer(relations, script, {}, { masked: ['o#people_id'] }),
      await infer(relations, script, {}, { masked: ['people#id'] }),
      await infer(relations, script, {}, { views: ['o'] }),
      await infer(relations, script, { maxStatements: 0 }),
      await infer(relations, script, { timeoutMs: 0 }),
    ])
      expect([keys, sent]).toEqual([[], []]);
    const aborted = infer(relations, script, { context: createCallContext({ signal: AbortSignal.abort() }) });
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('stands in the schema of a prompt as inferred, with the share that matches', async () => {
    const { text } = await infer(
      { people: PEOPLE, o: { attributes: ['people_id NUMERIC'] } },
      `${PEOPLE_ROWS} CREATE TABLE o (people_id); INSERT INTO o VALUES (1), (2);`,
    );
    expect(text).toContain('FOREIGN KEY (people_id) REFERENCES people(id)');
    expect(text).toContain('inferred: 100 % of 2 values match');
  });
});
