import {
  attributeId,
  type Catalog,
  createCallContext,
  type Dialect,
  finishCatalog,
  type GenerateSqlInput,
  relationId,
  type Task,
} from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../scripts/testing/property-runs.ts';
import { lexical } from './lexical.ts';
import { openLeague } from './testing/league.ts';
import { generateTask, smallCatalog, smallDatabase } from './testing/small-database.ts';

const league = openLeague();
const context = createCallContext();

const input = (question: string, changes: Partial<GenerateSqlInput> = {}): GenerateSqlInput => ({
  question,
  catalog: league.catalog,
  dialect: sqliteDialect,
  schemaText: '',
  values: [],
  today: '2024-06-15',
  allowWrite: false,
  ...changes,
});

const solver = lexical();
const solve = async (question: string, changes: Partial<GenerateSqlInput> = {}) =>
  (await solver.solve(generateTask, input(question, changes), context)).value;

describe('lexical as a solver', () => {
  it('says what it is, what it needs and which task it solves', () => {
    expect([solver.name, solver.needs]).toEqual(['lexical', ['values']]);
    expect(solver.supports('text2sql.generate-sql')).toBe(true);
    expect(solver.supports('text2sql.debug-sql')).toBe(false);
  });

  it('answers without a model', async () => {
    const solved = await lexical().solve(generateTask, input('How many teams are there?'), context);
    expect(solved).toEqual({
      value: {
        outcome: 'sql',
        sql: 'SELECT COUNT(*) FROM teams',
        explanation: 'Read as: count of rows in teams.',
        not_understood: [],
        other_readings: [],
        would_agree: 'fewer',
      },
      usage: {},
      calls: 0,
      solvedBy: 'lexical',
      warnings: [],
      assumptions: [],
    });
  });

  it('asked back, gives the statement of each reading with what it would mean', async () => {
    const question = 'How many names are there?';
    const { value, readings = [] } = await lexical({ margin: 5 }).solve(generateTask, input(question), context);
    expect(value.outcome).toBe('needs_clarification');
    expect(readings.length).toBeGreaterThan(1);
    expect(new Set(readings.map(({ sql }) => sql)).size).toBe(readings.length);
    for (const { meaning } of readings) expect(value.explanation).toContain(meaning.slice(1, -1));
  });

  it('rejects every other task', async () => {
    const other: Task<GenerateSqlInput, unknown> = { ...generateTask, id: 'text2sql.debug-sql' };
    await expect(lexical().solve(other, input('How many?'), context)).rejects.toMatchObject({
      code: 'TASK_UNSUPPORTED',
      message: expect.stringContaining('text2sql.debug-sql'),
    });
  });

  it('rejects an input that is none, and a caller who has stopped', async () => {
    const broken = { question: 'x' } as GenerateSqlInput;
    await expect(lexical().solve(generateTask, broken, context)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    const stopped = createCallContext({ signal: AbortSignal.abort() });
    await expect(lexical().solve(generateTask, input('teams'), stopped)).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('takes its limits from the options', async () => {
    const league2 = openLeague();
    const question = 'Which sponsors are in finance and support the Harbour Lions?';
    expect((await league2.ask('names of sponsors of the Harbour Lions', { lexical: { maxCost: 0.01 } })).outcome).toBe(
      'unanswerable',
    );
    expect((await league2.ask('names of sponsors of the Harbour Lions', { lexical: { margin: 5 } })).outcome).toBe(
      'needs_clarification',
    );
    expect((await league2.ask(question)).not_understood).toEqual(['support']);
  });
});

/** Words of the grammar and of the schema, in any order: whatever comes out of it must be sound. */
const WORDS =
  'how many what is are the of which who list show all different each per for by with without no not than more less least at most 3 2022 five top sorted ordered descending and or but in from to have has name names id average total number maximum highest lowest oldest youngest tallest between after before teams players sponsors coaches matches city country salary position injured budget email home away team player Lyon France striker Acme Bank "Lyon" , . ? \' s their its whose that'.split(
    ' ',
  );

const QUESTIONS = [
  'how many teams are there for each country ?',
  'list the name of all players from France',
  'what is the average salary of players by position ?',
  'which city has the most teams ?',
  'what is the total budget of teams ?',
].map((question) => question.split(' '));

/** Words in any order; or a question with a word too many, too few or in place of another, which can often be read. */
const someWords = fc.oneof(
  fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 14 }),
  fc
    .tuple(fc.constantFrom(...QUESTIONS), fc.nat({ max: 9 }), fc.nat({ max: 1 }), fc.constantFrom(undefined, ...WORDS))
    .map(([words, at, removed, word]) => words.toSpliced(at, removed, ...(word === undefined ? [] : [word]))),
);

describe('on any text', () => {
  it('gives an answer of the right shape, and the same one again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 400 }), async (question) => {
        const first = await solve(question);
        expect(['sql', 'needs_clarification', 'unanswerable']).toContain(first.outcome);
        expect(first.sql === '').toBe(first.outcome !== 'sql');
        expect(first.explanation).not.toBe('');
        expect(await solve(question)).toEqual(first);
      }),
    );
  });

  it('writes one reading statement that runs, whatever the order of the words', async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(someWords, async (words) => {
        const { sql } = await league.ask(words.join(' '));
        if (sql === '') return;
        answered += 1;
        expect(() => league.rows(sql), sql).not.toThrow();
        expect(sql).toMatch(/^SELECT /u);
      }),
      { numRuns: propertyRuns(500) },
    );
    expect(answered).toBeGreaterThan(10);
  }, 120_000);

  it.each([
    ['20,000 characters', 'teams and '.repeat(2_000)],
    ['nothing but quotation marks', '"'.repeat(20_000)],
    ['a long chain', `names of ${'teams of players of '.repeat(20)}teams`],
    ['many conditions', `teams ${'with more than 3 players and from France or '.repeat(12)}from Lyon`],
  ])('is quick: %s', async (_, question) => {
    const before = process.cpuUsage();
    expect((await solve(question)).outcome).not.toBe('sql');
    expect(processorMs(before)).toBeLessThan(3_000);
  });

  it.each(['', '   ', '?'])('declines %j', async (question) => {
    expect(await solve(question)).toMatchObject({ outcome: 'unanswerable', sql: '' });
  });
});

/** 3,500 relations of 20 attributes. */
function bigCatalog(): Catalog {
  const names = Array.from({ length: 3_500 }, (_, place) => `table_${place.toString(36)}_x`);
  const columns = Array.from({ length: 20 }, (_, place) => (place === 0 ? 'id' : `column_${place}`));
  const attributes = names.flatMap((table) =>
    columns.map((name) => ({
      id: attributeId(relationId([table]), name),
      relation: relationId([table]),
      name,
      type: 'TEXT' as const,
    })),
  );
  const small = smallCatalog({ warehouses: ['warehouse_id number key', 'name text', 'region text'] });
  return finishCatalog({
    ...small,
    schema: {
      ...small.schema,
      relations: [...small.schema.relations, ...names.map((name) => ({ id: relationId([name]), name }))],
      attributes: [...small.schema.attributes, ...attributes],
    },
    relations: {
      ...small.relations,
      ...Object.fromEntries(
        names.map((name) => [relationId([name]), { nameParts: { relation: name }, kind: 'table' as const }]),
      ),
    },
    attributes: {
      ...small.attributes,
      ...Object.fromEntries(attributes.map(({ id }) => [id, { position: 1, nativeType: 'TEXT' }])),
    },
  });
}

/** What this process has computed since: other work on the machine does not count. */
function processorMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

describe('on any schema', () => {
  it('finds its way among 70,000 attributes', async () => {
    const catalog = bigCatalog();
    const before = process.cpuUsage();
    expect((await solve('How many warehouses are there per region?', { catalog })).sql).toBe(
      'SELECT region, COUNT(*) FROM warehouses GROUP BY region',
    );
    expect(processorMs(before)).toBeLessThan(5_000);
  });

  it('quotes names that need it, and no others', async () => {
    const shop = smallDatabase(
      {
        'Order Item': ['"Item ID" number key', '"select" text', 'price number'],
        'we"ird': ['id number key', 'note text'],
      },
      { 'Order Item': [[1, 'a', 5]] },
    );
    const { sql } = await shop.ask('What is the highest price of order items?');
    expect(sql).toBe('SELECT MAX(price) FROM "Order Item"');
    const selected = await shop.ask('List the select of all order items');
    expect(selected.sql).toBe('SELECT "select" FROM "Order Item"');
    const odd = await shop.ask('How many we ird are there?');
    expect(odd.sql).toBe('SELECT COUNT(*) FROM "we""ird"');
  });

  it('writes the quotes of the dialect, and names with their schema', async () => {
    const dialect: Dialect = {
      ...sqliteDialect,
      identifiers: { ...sqliteDialect.identifiers, quote: ['`', '`'], qualifiers: ['schema'] },
    };
    const catalog = smallCatalog({ items: ['item_id number key', 'group number'] });
    const relations = {
      items: { ...catalog.relations.items!, nameParts: { schema: 'my shop', relation: 'items' } },
    };
    const { sql } = await solve('What is the average group of items?', { dialect, catalog: { ...catalog, relations } });
    expect(sql).toBe('SELECT AVG(`group`) FROM `my shop`.items');
  });

  it('never puts words of the question into a statement', async () => {
    const hostile = "x' OR 1=1; DROP TABLE teams; --";
    for (const question of [`teams called "${hostile}"`, `teams whose name starts with "${hostile}"`, hostile]) {
      const { sql } = await solve(question);
      if (sql !== '') expect(sql).toContain("x'' or 1=1");
    }
  });
});
