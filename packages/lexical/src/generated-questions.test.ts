import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { multiset } from './testing/expect-answer.ts';
import { smallDatabase } from './testing/small-database.ts';

/** Nouns that are near no word of the lexicon and near none of each other. */
const NOUNS = ['widget', 'turtle', 'bridge', 'lantern', 'orchard', 'violin', 'castle', 'harbor', 'pencil', 'tunnel'];
const MEASURES = ['weight', 'voltage', 'torque', 'acidity', 'tension'];
const LABELS = ['flavour', 'shape', 'mood', 'fabric', 'dialect'];
const CELLS = ['alpha', 'beta', 'gamma'];

interface World {
  readonly parent: string;
  readonly child: string;
  readonly measure: string;
  readonly label: string;
  readonly style: 'snake' | 'camel' | 'plural';
  readonly parents: readonly (readonly [label: string | null, measure: number | null])[];
  readonly children: readonly (readonly [parent: number | null, measure: number])[];
}

const world: fc.Arbitrary<World> = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom(...NOUNS), { minLength: 2, maxLength: 2 }),
    fc.constantFrom(...MEASURES),
    fc.constantFrom(...LABELS),
    fc.constantFrom('snake' as const, 'camel' as const, 'plural' as const),
    fc.array(fc.tuple(fc.option(fc.constantFrom(...CELLS)), fc.option(fc.integer({ min: 1, max: 9 }))), {
      minLength: 3,
      maxLength: 8,
    }),
    fc.array(fc.tuple(fc.option(fc.integer({ min: 1, max: 3 })), fc.integer({ min: 1, max: 9 })), { maxLength: 12 }),
  )
  .map(([[parent = '', child = ''], measure, label, style, parents, children]) => ({
    parent,
    child,
    measure,
    label,
    style,
    parents,
    children,
  }));

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** Two tables in one of three ways of naming. */
function open({ parent, child, measure, label, style, parents, children }: World) {
  const table = (noun: string): string => (style === 'plural' ? `${noun}s` : style === 'camel' ? capital(noun) : noun);
  const id = (noun: string): string => (style === 'camel' ? `${noun}Id` : `${noun}_id`);
  const [p, c] = [table(parent), table(child)];
  const database = smallDatabase(
    {
      [p]: [`${id(parent)} number key`, 'name text required', `${label} text`, `${measure} number`],
      [c]: [`${id(child)} number key`, `${id(parent)} number > ${p}`, `${measure} number required`],
    },
    {
      [p]: parents.map(([cell, value], place) => [place + 1, `${parent} ${place + 1}`, cell, value]),
      [c]: children.map(([owner, value], place) => [place + 1, owner, value]),
    },
  );
  return { database, p, c, key: id(parent) };
}

/** Questions of a small grammar over the world, each with its statement. */
const QUESTIONS: readonly ((
  world: World,
  names: { p: string; c: string; key: string },
) => readonly [string, string])[] = [
  ({ parent }, { p }) => [`How many ${parent}s are there?`, `SELECT COUNT(*) FROM ${p}`],
  ({ parent }, { p }) => [`List the names of all ${parent}s`, `SELECT name FROM ${p}`],
  ({ parent, label }, { p }) => [
    `What are the different ${label}s of ${parent}s?`,
    `SELECT DISTINCT ${label} FROM ${p}`,
  ],
  ({ parent, measure }, { p }) => [`What is the average ${measure} of ${parent}s?`, `SELECT AVG(${measure}) FROM ${p}`],
  ({ parent, measure }, { p }) => [
    `Show the ${parent}s with a ${measure} over 4`,
    `SELECT name FROM ${p} WHERE ${measure} > 4`,
  ],
  ({ parent, measure }, { p }) => [
    `Which ${parent}s have no ${measure}?`,
    `SELECT name FROM ${p} WHERE ${measure} IS NULL`,
  ],
  ({ parent, label }, { p }) => [
    `How many ${parent}s are there for each ${label}?`,
    `SELECT ${label}, COUNT(*) FROM ${p} GROUP BY ${label}`,
  ],
  ({ parent, label }, { p }) => [
    `names of ${parent}s with ${label} "beta"`,
    `SELECT name FROM ${p} WHERE ${label} = 'beta'`,
  ],
  ({ parent, measure, label }, { p }) => [
    `What is the maximum ${measure} of ${parent}s per ${label}?`,
    `SELECT ${label}, MAX(${measure}) FROM ${p} GROUP BY ${label}`,
  ],
  ({ parent, child }, { p, c, key }) => [
    `Which ${parent}s have at least 2 ${child}s?`,
    `SELECT name FROM ${p} JOIN ${c} USING (${key}) GROUP BY ${key} HAVING COUNT(*) >= 2`,
  ],
  ({ parent, child }, { p, c, key }) => [
    `List the ${parent}s without any ${child}s`,
    `SELECT name FROM ${p} WHERE NOT EXISTS (SELECT * FROM ${c} WHERE ${c}.${key} = ${p}.${key})`,
  ],
  ({ parent, child }, { p, c, key }) => [
    `How many ${child}s does each ${parent} have?`,
    `SELECT name, COUNT(*) FROM ${c} JOIN ${p} USING (${key}) GROUP BY ${key}`,
  ],
  ({ parent, child, measure }, { p, c, key }) => [
    `How many ${parent}s have ${child}s with a ${measure} of at most 5?`,
    `SELECT COUNT(*) FROM ${p} WHERE ${key} IN (SELECT ${key} FROM ${c} WHERE ${measure} <= 5)`,
  ],
  ({ parent, measure }, { p }) => [
    `Show the names and ${measure}s of ${parent}s ordered by name in descending order`,
    `SELECT name, ${measure} FROM ${p}`,
  ],
];

describe('questions of a grammar over random names', () => {
  it.each(QUESTIONS.map((question, place) => [place, question] as const))(
    'form %i is read on every schema',
    async (_, question) => {
      await fc.assert(
        fc.asyncProperty(world, async (drawn) => {
          const { database, ...names } = open(drawn);
          const [text, sql] = question(drawn, names);
          // A cell that is not there is no value to ask for.
          if (text.includes('"beta"') && !drawn.parents.some(([cell]) => cell === 'beta')) return;
          const answer = await database.ask(text);
          expect(answer.outcome, `${text}\n${answer.explanation}`).toBe('sql');
          expect(multiset(database.rows(answer.sql)), `${text}\n${answer.sql}`).toEqual(multiset(database.rows(sql)));
        }),
        { numRuns: 25 },
      );
    },
  );
});
