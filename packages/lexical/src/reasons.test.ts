import { foldName } from '@askema/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SmallDatabase, smallDatabase } from './testing/small-database.ts';

const NOUNS = ['widget', 'turtle', 'lantern', 'orchard', 'violin', 'castle', 'pencil'];
const CELLS = ['alpha', 'beta', 'gamma', 'delta'];
const UNKNOWN = ['zorb', 'quux', 'blimp'];
/** What the catalog says of a table that is too big to be searched. */
const HUGE = 3_000_000;

interface World {
  readonly nouns: readonly string[];
  /** Which table points to which earlier one; undefined for none. */
  readonly parents: readonly (number | undefined)[];
  readonly huge: readonly boolean[];
  readonly labels: readonly (readonly string[])[];
  readonly form: number;
  readonly word: string;
  readonly first: number;
  readonly second: number;
}

const world: fc.Arbitrary<World> = fc.record({
  nouns: fc.uniqueArray(fc.constantFrom(...NOUNS), { minLength: 3, maxLength: 5 }),
  parents: fc.array(fc.option(fc.nat({ max: 3 }), { nil: undefined }), { minLength: 5, maxLength: 5 }),
  huge: fc.array(
    fc.integer({ min: 0, max: 3 }).map((drawn) => drawn === 0),
    { minLength: 5, maxLength: 5 },
  ),
  labels: fc.array(fc.array(fc.constantFrom(...CELLS), { minLength: 1, maxLength: 4 }), { minLength: 5, maxLength: 5 }),
  form: fc.nat({ max: 5 }),
  word: fc.constantFrom(...UNKNOWN, ...CELLS),
  first: fc.nat({ max: 4 }),
  second: fc.nat({ max: 4 }),
});

/** The tables of a world, each with a key, a label and maybe a key of an earlier one. */
function open({ nouns, parents, huge, labels }: World): SmallDatabase {
  const parentOf = (place: number): string | undefined => {
    const parent = parents[place];
    return parent === undefined || parent >= place ? undefined : nouns[parent];
  };
  const tables = nouns.map((noun, place) => {
    const parent = parentOf(place);
    const key = parent === undefined ? [] : [`${parent}_id number > ${parent}s`];
    return [`${noun}s`, [`${noun}_id number key`, 'name text required', 'label text', ...key]] as const;
  });
  const rows = nouns.map(
    (noun, place) =>
      [
        `${noun}s`,
        (labels[place] ?? []).map((label, row) => [
          row + 1,
          `${noun} ${row + 1}`,
          label,
          ...(parentOf(place) === undefined ? [] : [1]),
        ]),
      ] as const,
  );
  const counts = nouns.flatMap((noun, place) => (huge[place] ? [[`${noun}s`, HUGE] as const] : []));
  return smallDatabase(Object.fromEntries(tables), Object.fromEntries(rows), Object.fromEntries(counts));
}

function questionOf({ nouns, form, word, first, second }: World): string {
  const a = nouns[first % nouns.length] ?? '';
  const b = nouns[second % nouns.length] ?? '';
  const forms = [
    `How many ${word} ${a}s are there?`,
    `Which ${a}s earn more than 100?`,
    `How many ${a}s are there per ${b}?`,
    `List the ${a}s that have a ${b} in 2024`,
    `Which ${a}s have the label ${word}?`,
    `How many ${a}s have more than 2 ${b}s?`,
  ];
  return forms[form % forms.length] ?? '';
}

/** True when any text of any table of which the rows are there is this word. */
function occurs({ catalog, rows }: SmallDatabase, word: string): boolean {
  return catalog.schema.relations.some(({ name }) =>
    ['name', 'label'].some((column) => rows(`SELECT 1 FROM ${name} WHERE LOWER(${column}) = '${word}'`).length > 0),
  );
}

function isNamed({ catalog }: SmallDatabase, word: string): boolean {
  const names = [...catalog.schema.relations, ...catalog.schema.attributes].map(({ name }) => name);
  return names.some((name) => foldName(name, 'insensitive').split('_').includes(word));
}

function isConnected({ catalog }: SmallDatabase, from: string, to: string): boolean {
  const idOf = (name: string): string => catalog.schema.relations.find((relation) => relation.name === name)?.id ?? '';
  const seen = new Set([idOf(from)]);
  for (const id of seen)
    for (const { relation, target } of catalog.schema.foreignKeys) {
      if (relation === id) seen.add(target);
      if (target === id) seen.add(relation);
    }
  return seen.has(idOf(to));
}

describe('every reason that is given', () => {
  it('holds of the database', async () => {
    const given = { nothing: 0, unsearched: 0, keys: 0, columns: 0 };
    await fc.assert(
      fc.asyncProperty(world, async (drawn) => {
        const database = open(drawn);
        const question = questionOf(drawn);
        const { outcome, explanation } = await database.ask(question);
        if (outcome === 'sql') return;
        const about = `${question}: ${explanation}`;
        const isBig = new Set(drawn.nouns.filter((_, place) => drawn.huge[place]).map((noun) => `${noun}s`));
        for (const [, word = ''] of explanation.matchAll(/^Nothing in the database matches.*'(\w+)'/gu)) {
          given.nothing += 1;
          expect([occurs(database, word), isNamed(database, word), isBig.size], about).toEqual([false, false, 0]);
        }
        const [, listed] = /Not searched in full: (.*?)\. /u.exec(explanation) ?? [];
        if (listed !== undefined) {
          given.unsearched += 1;
          const named = [...listed.matchAll(/(\w+) \(3,000,000 rows\)/gu)].map(([, name = '']) => name);
          expect(named.length, about).toBe(Math.min(3, isBig.size));
          for (const name of named) expect(isBig, about).toContain(name);
        }
        const [, from, to] = /no key connects (\w+) and (\w+)/u.exec(explanation) ?? [];
        if (from !== undefined && to !== undefined) {
          given.keys += 1;
          expect(isConnected(database, from, to), about).toBe(false);
        }
        if (/^No (?:date or time )?column/u.test(explanation)) {
          given.columns += 1;
          expect(
            database.catalog.schema.attributes.every(
              ({ name, type }) => type !== 'DATETIME' && !/salary|wage/u.test(name),
            ),
            about,
          ).toBe(true);
        }
      }),
      { numRuns: 200, seed: 20_240_615 },
    );
    // Each kind of reason was given: a check that never runs would hold of anything.
    for (const [kind, count] of Object.entries(given)) expect(count, kind).toBeGreaterThan(3);
  }, 60_000);
});
