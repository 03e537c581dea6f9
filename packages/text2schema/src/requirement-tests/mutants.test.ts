import { attributeId, indexSchema, relationId, type Schema, validateSchema } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { relationLines } from '../mapping/design-fixture.ts';
import { schemaOfNamed } from '../mapping/named-schema.ts';
import type { TestValue } from '../model/test-plan.ts';
import { designFixture } from '../test-plan/run-fixture.ts';
import { memoryStore } from './memory-store.ts';
import { type MistakeKind, mutantsOf } from './mutants.ts';

const { schema: LIBRARY } = designFixture({
  Publisher: { attributes: ['Publisher ID NUMERIC', 'Name', 'Founded DATETIME'], key: ['Publisher ID'] },
  Book: {
    attributes: ['ISBN', 'Name', 'Pages NUMERIC', 'Publisher ID NUMERIC'],
    key: ['ISBN'],
    references: ['Publisher ID > Publisher: Publisher ID'],
  },
  Reader: {
    attributes: ['Reader ID NUMERIC', 'Email unique', 'Mentor NUMERIC'],
    key: ['Reader ID'],
    references: ['Mentor > Reader: Reader ID'],
  },
  Loan: {
    attributes: ['Reader ID NUMERIC', 'ISBN', 'Lent DATETIME', 'Late BOOL'],
    key: ['Reader ID', 'ISBN', 'Lent'],
    references: ['Reader ID > Reader: Reader ID', 'ISBN > Book: ISBN'],
  },
});

/** What the mutants say, and which lines of the schema they have in place of others. */
function mutants(schema: Schema, mistake: MistakeKind): [string, readonly string[]][] {
  const before = relationLines(schema);
  return mutantsOf(schema, { perMistake: 99 })
    .filter((mutant) => mutant.mistake === mistake)
    .map((mutant) => [mutant.says, relationLines(mutant.schema).filter((line) => !before.includes(line))]);
}

/** For each row, whether it is refused. */
async function refusals(schema: Schema, rows: readonly (readonly [string, Readonly<Record<string, TestValue>>])[]) {
  const store = memoryStore(schema);
  const refused: boolean[] = [];
  for (const [name, cells] of rows) {
    const relation = relationId([name]);
    const values = Object.entries(cells).map(([one, value]) => [attributeId(relation, one), value] as const);
    refused.push((await store.insert(relation, new Map(values))) !== undefined);
  }
  return refused;
}

describe('mutantsOf', () => {
  it('loses facts beyond keys and references', () => {
    expect(mutants(LIBRARY, 'lost fact')).toEqual([
      ['The `Name` of the `Publisher` is not kept.', ['Publisher(*Publisher ID, Founded)']],
      ['The `Founded` of the `Publisher` is not kept.', ['Publisher(*Publisher ID, Name)']],
      ['The `Name` of the `Book` is not kept.', ['Book(*ISBN, Pages, Publisher ID) > Publisher(Publisher ID)']],
      ['The `Pages` of the `Book` is not kept.', ['Book(*ISBN, Name, Publisher ID) > Publisher(Publisher ID)']],
      ['The `Email` of the `Reader` is not kept.', ['Reader(*Reader ID, Mentor) > Reader(Mentor = Reader ID)']],
      ['The `Late` of the `Loan` is not kept.', ['Loan(*Reader ID, *ISBN, *Lent) > Reader(Reader ID) > Book(ISBN)']],
    ]);
  });

  it('loses a thing to which nothing refers, and connections beyond keys', () => {
    expect(mutants(LIBRARY, 'lost thing')).toEqual([['No `Loan` can be kept.', []]]);
    expect(mutants(LIBRARY, 'lost connection')).toEqual([
      ['Which `Publisher` the `Book` has is not kept.', ['Book(*ISBN, Name, Pages)']],
      ['Which `Reader` (`Mentor`) the `Reader` has is not kept.', ['Reader(*Reader ID, Email)']],
    ]);
  });

  it('keeps attributes of a lost connection that another one needs', () => {
    const { schema } = designFixture({
      Hall: { attributes: ['House', 'Hall'], key: ['House', 'Hall'] },
      House: { attributes: ['House'], key: ['House'] },
      Show: {
        attributes: ['Show', 'House', 'Hall'],
        key: ['Show'],
        references: ['House, Hall > Hall: House, Hall', 'House > House: House'],
      },
    });
    expect(mutants(schema, 'lost connection')).toEqual([
      ['Which `Hall` the `Show` has is not kept.', ['Show(*Show, House) > House(House)']],
    ]);
  });

  it('takes one attribute out of a key, or all but one of its references', () => {
    const rest = '> Reader(Reader ID) > Book(ISBN)';
    expect(mutants(LIBRARY, 'key too small')).toEqual([
      [
        'A second `Loan` with the same `Book` and `Lent` is refused, though its `Reader` differs.',
        [`Loan(Reader ID, *ISBN, *Lent, Late) ${rest}`],
      ],
      [
        'A second `Loan` with the same `Reader` and `Lent` is refused, though its `Book` differs.',
        [`Loan(*Reader ID, ISBN, *Lent, Late) ${rest}`],
      ],
      [
        'A second `Loan` with the same `Reader` and `Book` is refused, though its `Lent` differs.',
        [`Loan(*Reader ID, *ISBN, Lent, Late) ${rest}`],
      ],
    ]);
    expect(mutants(LIBRARY, 'many to many made one to many')).toEqual([
      [
        'A second `Loan` with the same `Reader` is refused, though its `Book` and `Lent` differ.',
        [`Loan(*Reader ID, ISBN, Lent, Late) ${rest}`],
      ],
      [
        'A second `Loan` with the same `Book` is refused, though its `Reader` and `Lent` differ.',
        [`Loan(Reader ID, *ISBN, Lent, Late) ${rest}`],
      ],
    ]);
  });

  it('plants a key of two references that becomes one of them once, with the roles of the two', () => {
    const { schema } = designFixture({
      Person: { attributes: ['Name'], key: ['Name'] },
      Friend: {
        attributes: ['Who', 'Whom'],
        key: ['Who', 'Whom'],
        references: ['Who > Person: Name', 'Whom > Person: Name'],
      },
    });
    expect(mutants(schema, 'key too small')).toEqual([]);
    expect(mutants(schema, 'many to many made one to many').map(([says]) => says)).toEqual([
      'A second `Friend` with the same `Person` (`Who`) is refused, though its `Person` (`Whom`) differs.',
      'A second `Friend` with the same `Person` (`Whom`) is refused, though its `Person` (`Who`) differs.',
    ]);
  });

  it('adds to a key, or puts an id in its place, where it tells something and nothing refers to it', () => {
    expect(mutants(LIBRARY, 'key too large')).toEqual([
      [
        'A second `Loan` with the same `Reader`, `Book` and `Lent` is accepted where its `Late` differs.',
        ['Loan(*Reader ID, *ISBN, *Lent, *Late) > Reader(Reader ID) > Book(ISBN)'],
      ],
    ]);
    expect(mutants(LIBRARY, 'nothing told apart')).toEqual([
      [
        'A second `Loan` with the same `Reader`, `Book` and `Lent` is accepted.',
        ['Loan(Reader ID, ISBN, Lent, Late, *Loan ID) > Reader(Reader ID) > Book(ISBN)'],
      ],
      ['A second `Reader` with the same `Email` is accepted.', []],
    ]);
    const { schema } = designFixture({
      song: { attributes: ['title', 'length NUMERIC'], key: ['title'] },
      band: { attributes: ['band_id', 'genre'], key: ['band_id'] },
    });
    expect(mutants(schema, 'nothing told apart')).toEqual([
      ['A second `song` with the same `title` is accepted.', ['song(title, length, *song_id)']],
    ]);
    expect(mutants(schema, 'key too large')).toHaveLength(1);
    expect(mutants(schema, 'wrong type').map(([says]) => says)).not.toContain(expect.stringContaining('band_id'));
  });

  it('folds a thing into the one relation that refers to it, with its facts and connections', () => {
    expect(mutants(LIBRARY, 'merged things')).toEqual([
      [
        'No `Publisher` can be kept of which there is no `Book`, and each `Book` repeats the `Name` and `Founded` of its `Publisher`.',
        ['Book(*ISBN, Name, Pages, Publisher ID, Publisher Name, Founded)'],
      ],
      [
        'No `Book` can be kept of which there is no `Loan`, and each `Loan` repeats the `Name`, `Pages` and `Publisher` of its `Book`.',
        [
          'Loan(*Reader ID, *ISBN, *Lent, Late, Name, Pages, Publisher ID) > Reader(Reader ID) > Publisher(Publisher ID)',
        ],
      ],
    ]);
  });

  it.each([true, false])(
    'requires a fact of a merged thing where the thing is always there (%j), and repeats no unique',
    (always) => {
      const { schema } = designFixture({
        Book: { attributes: ['Book ID', 'Title unique'], key: ['Book ID'] },
        Copy: {
          attributes: ['No', 'Book ID'],
          key: always ? ['No', 'Book ID'] : ['No'],
          references: ['Book ID > Book: Book ID'],
        },
      });
      const titled = { attribute: 'book#title', constraint: 'not null' as const };
      const [merged] = mutantsOf({ ...schema, domainConstraints: [...schema.domainConstraints, titled] }).filter(
        ({ mistake }) => mistake === 'merged things',
      );
      const copied = merged?.schema.domainConstraints.filter(({ attribute }) => attribute === 'copy#title');
      expect(copied).toEqual(always ? [{ attribute: 'copy#title', constraint: 'not null' }] : []);
    },
  );

  it('leaves no unique on a key that is no longer one attribute alone', async () => {
    const { schema } = schemaOfNamed({
      relations: [
        {
          name: 'Song',
          attributes: [
            { name: 'Title', type: 'TEXT' },
            { name: 'Length', type: 'NUMERIC' },
          ],
          primaryKey: ['Title'],
          foreignKeys: [],
        },
      ],
    });
    expect(schema.domainConstraints).toContainEqual({ attribute: 'song#title', constraint: 'unique' });
    for (const mutant of mutantsOf(schema)) {
      if (mutant.mistake !== 'key too large' && mutant.mistake !== 'nothing told apart') continue;
      const id = (value: number) => (mutant.mistake === 'key too large' ? {} : { 'Song ID': value });
      const rows = [1, 2].map((at) => ['Song', { Title: 'Blue', Length: at, ...id(at) }] as const);
      expect(await refusals(mutant.schema, rows), mutant.says).toEqual([false, false]);
      expect(await refusals(mutant.schema, [['Song', { Length: 1, ...id(1) }]]), mutant.says).toEqual([true]);
    }
  });

  it('turns a connection round between single keys', () => {
    expect(mutants(LIBRARY, 'connection turned round')).toEqual([
      [
        'A second `Book` with the same `Publisher` has no place: the `Publisher` names one `Book`.',
        ['Publisher(*Publisher ID, Name, Founded, ISBN) > Book(ISBN)', 'Book(*ISBN, Name, Pages)'],
      ],
    ]);
  });

  it('mistakes types, and one for many', () => {
    expect(mutants(LIBRARY, 'wrong type').map(([says]) => says)).toEqual([
      'The `Name` of the `Publisher` can be a number only, no text.',
      'The `Founded` of the `Publisher` can be a number only, no date.',
      'The `Name` of the `Book` can be a number only, no text.',
      'The `Pages` of the `Book` can be yes or no only, no number.',
      'The `Email` of the `Reader` can be a number only, no text.',
      'The `Lent` of the `Loan` can be a number only, no date.',
    ]);
    expect(mutants(LIBRARY, 'one to many made one to one').map(([says]) => says)).toEqual([
      'A second `Book` with the same `Publisher` is refused.',
      'A second `Reader` with the same `Reader` (`Mentor`) is refused.',
    ]);
    expect(mutants(LIBRARY, 'required fact').map(([says]) => says)).toContain(
      'Each `Book` is refused as long as its `Publisher` is not known.',
    );
  });

  const loan = { 'Reader ID': 1, ISBN: 'a', Lent: '2026-03-01', Late: false };
  const ground = [
    ['Publisher', { 'Publisher ID': 7 }],
    ['Book', { ISBN: 'a', 'Publisher ID': 7 }],
    ['Reader', { 'Reader ID': 1, Email: 'ann@x' }],
  ] as const;
  it.each<[string, string, Readonly<Record<string, TestValue>>, 'refused' | 'accepted']>([
    ['though its `Lent` differs.', 'Loan', { ...loan, Lent: '2026-04-01' }, 'refused'],
    ['though its `Reader` and `Lent` differ.', 'Loan', { ...loan, Lent: '2026-04-01' }, 'refused'],
    ['accepted where its `Late` differs.', 'Loan', { ...loan, Late: true }, 'accepted'],
    ['`Book` and `Lent` is accepted.', 'Loan', { ...loan, 'Loan ID': 2 }, 'accepted'],
    ['the same `Email` is accepted.', 'Reader', { 'Reader ID': 2, Email: 'ann@x' }, 'accepted'],
    ['with the same `Publisher` is refused.', 'Book', { ISBN: 'b', 'Publisher ID': 7 }, 'refused'],
    ['as long as its `Publisher` is not known.', 'Book', { ISBN: 'b' }, 'refused'],
    ['`Pages` of the `Book` can be yes or no only, no number.', 'Book', { ISBN: 'b', Pages: 300 }, 'refused'],
    ['`Lent` of the `Loan` can be a number only, no date.', 'Loan', { ...loan, Lent: '2026-04-01' }, 'refused'],
  ])('does what it says, and the design does not: …%s', async (says, relation, cells, outcome) => {
    const found = mutantsOf(LIBRARY, { perMistake: 99 }).filter((mutant) => mutant.says.endsWith(says));
    expect(found).toHaveLength(1);
    const made = found[0]?.schema ?? LIBRARY;
    const last = async (schema: Schema) => {
      const index = indexSchema(schema);
      const known = (name: string, all: Readonly<Record<string, TestValue>>) =>
        Object.fromEntries(
          Object.entries(all).filter(([one]) => index.attributeNamed(relationId([name]), one) !== undefined),
        );
      const first = known('Loan', { ...loan, 'Loan ID': 1 });
      return (await refusals(schema, [...ground, ['Loan', first], [relation, known(relation, cells)]])).at(-1);
    };
    expect(await last(made)).toBe(outcome === 'refused');
    expect(await last(LIBRARY)).toBe(outcome !== 'refused');
  });

  it('makes so many of each mistake, spread over the schema', () => {
    const facts = mutantsOf(LIBRARY).filter(({ mistake }) => mistake === 'lost fact');
    expect(facts.map(({ says }) => says)).toEqual([
      'The `Name` of the `Publisher` is not kept.',
      'The `Pages` of the `Book` is not kept.',
    ]);
    expect(mutantsOf(LIBRARY, { perMistake: 0 })).toEqual([]);
    expect(new Set(mutantsOf(LIBRARY, { perMistake: 1 }).map(({ mistake }) => mistake)).size).toBe(12);
    expect(mutantsOf(LIBRARY, { perMistake: 1 })).toHaveLength(12);
  });

  it('plants mistakes into a draft with breaches, and adds none', () => {
    const draft = { ...LIBRARY, primaryKeys: LIBRARY.primaryKeys.filter(({ relation }) => relation !== 'loan') };
    const breaches = validateSchema(draft);
    expect(breaches).not.toEqual([]);
    const made = mutantsOf(draft);
    expect(made.map(({ mistake }) => mistake)).toContain('lost connection');
    for (const { schema } of made) expect(breaches).toEqual(expect.arrayContaining(validateSchema(schema)));
  });
});
