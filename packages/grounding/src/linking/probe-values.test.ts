import {
  type Adapter,
  AskemaError,
  attributeId,
  type Catalog,
  createCallContext,
  finishCatalog,
  type QueryOptions,
  type RelationKind,
  relationId,
  resolveAdapter,
} from '@askema/core';
import { fixtureDialect } from '@askema/testkit';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { probeValues, searchValues } from './probe-values.ts';

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
  readonly kind?: RelationKind;
  readonly rowCount?: number | undefined;
}

/** A database in memory with its catalog; `query` records what is asked of it. */
function open(tables: readonly Table[], intercept?: (sql: string, options: QueryOptions) => Promise<void>) {
  const database = new Database(':memory:');
  const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
  for (const { name, columns, rows } of tables) {
    database.exec(`CREATE TABLE ${quoted(name)} (${columns.map((column) => `${quoted(column)} TEXT`).join(', ')})`);
    const insert = database.prepare(`INSERT INTO ${quoted(name)} VALUES (${columns.map(() => '?').join(', ')})`);
    for (const row of rows) insert.run(...row);
  }
  const statements: string[] = [];
  const spec = resolveAdapter({
    contract: 1,
    dialect: fixtureDialect,
    name: 'memory',
    access: 'read',
    executor: {
      async *execute(sql, options) {
        statements.push(sql);
        await intercept?.(sql, options);
        const rows = database
          .prepare(sql)
          .raw(true)
          .all(...((options.parameters ?? []) as string[])) as string[][];
        yield {
          type: 'columns',
          columns: ['place', 'cell'].map((name) => ({ name, nativeType: '', type: 'TEXT' as const })),
        };
        yield { type: 'rows', rows };
        yield { type: 'end' };
      },
    },
    introspector: { introspect: async () => catalogOf(tables) },
    close: async () => database.close() && undefined,
  });
  return { adapter: spec, catalog: catalogOf(tables), statements };
}

function catalogOf(tables: readonly Table[]): Catalog {
  const attributes = tables.flatMap(({ name, columns }) =>
    columns.map((column) => ({
      id: attributeId(relationId([name]), column),
      relation: relationId([name]),
      name: column,
      type: column.startsWith('n_') ? ('NUMERIC' as const) : ('TEXT' as const),
    })),
  );
  return finishCatalog({
    schemaVersion: 1,
    dialect: 'sqlite',
    name: 'memory',
    nameComparison: 'insensitive',
    schema: {
      relations: tables.map(({ name }) => ({ id: relationId([name]), name })),
      attributes,
      primaryKeys: [],
      foreignKeys: [],
      domainConstraints: [],
    },
    relations: Object.fromEntries(
      tables.map(({ name, kind = 'table', rows, rowCount = rows.length }) => [
        relationId([name]),
        { nameParts: { relation: name }, kind, rowCount },
      ]),
    ),
    attributes: Object.fromEntries(
      attributes.map(({ id }, place) => [id, { position: place + 1, nativeType: 'TEXT' }]),
    ),
    uniqueKeys: [],
    checks: [],
    families: [],
    keyStanding: {},
    incomplete: [],
  });
}

const probe = (opened: { adapter: Adapter; catalog: Catalog }, question: string, options: object = {}) =>
  probeValues(opened.adapter, opened.catalog, question, { context: createCallContext(), ...options });

const CITIES: Table = {
  name: 'cities',
  columns: ['name', 'country'],
  rows: [
    ['New York', 'USA'],
    ['York', 'UK'],
    ['São Paulo', 'Brazil'],
    [' Oslo ', 'Norway'],
  ],
};

afterEach(() => vi.useRealTimers());

describe('probeValues', () => {
  it('finds whole cells whatever their case, as they are stored, longest mention first', async () => {
    const found = await probe(open([CITIES]), 'how many people live in new york in the usa?');
    expect(found).toEqual([
      { mention: 'new york', attribute: 'cities#name', value: 'New York', score: 1 },
      { mention: 'york', attribute: 'cities#name', value: 'York', score: 1 },
      { mention: 'usa', attribute: 'cities#country', value: 'USA', score: 1 },
    ]);
  });

  it('scores what it overlooks: outer blanks, marks inside, a plural', async () => {
    const table: Table = { name: 't', columns: ['a'], rows: [[' Oslo '], ['KLR209'], ['Ph.D.'], ['cat']] };
    const found = await probe(open([table]), 'cats in Oslo with a PhD in room KLR 209');
    const scores = Object.fromEntries(found.map(({ value, score }) => [value, score]));
    expect(scores).toEqual({ ' Oslo ': 0.95, KLR209: 0.9, 'Ph.D.': 0.9, cat: 0.85 });
  });

  it('takes a text in quotation marks as it is: no plural is cut', async () => {
    const table: Table = { name: 't', columns: ['a'], rows: [['cat'], ['cats']] };
    const found = await probe(open([table]), 'the one called "cats"');
    expect(found.filter(({ value }) => value === 'cat')).toEqual([]);
    expect(found.map(({ value }) => value)).toContain('cats');
  });

  it('finds letters beyond ASCII that SQLite does not fold', async () => {
    const table: Table = { name: 't', columns: ['a'], rows: [['Éclair'], ['SÃO PAULO']] };
    const found = await probe(open([table]), 'the Éclair of SÃO PAULO');
    expect(found.map(({ value }) => value)).toEqual(['SÃO PAULO', 'Éclair']);
  });

  it('matches no part of a cell, no number attribute, no stop word', async () => {
    const table: Table = {
      name: 't',
      columns: ['a', 'n_b'],
      rows: [
        ['New Orleans', '7'],
        ['which', 'Orleans'],
      ],
    };
    expect(await probe(open([table]), 'which Orleans')).toEqual([]);
  });

  it('asks small relations together and others each by itself, with the words as parameters', async () => {
    const dogs: Table = { name: 'dogs', columns: ['name'], rows: [['Rex']] };
    const opened = open([
      CITIES,
      dogs,
      { ...dogs, name: 'cats', rowCount: 49_999 },
      { ...dogs, name: 'old', rowCount: 60_000 },
    ]);
    const found = await probe(opened, "Rex'; DROP TABLE dogs; --");
    expect(found.map(({ attribute }) => attribute)).toEqual(['dogs#name', 'cats#name', 'old#name']);
    expect(opened.statements).toHaveLength(3);
    expect(opened.statements.join(' ')).not.toContain('DROP');
  });

  it('works with hostile names', async () => {
    const table: Table = { name: 'a"b; DROP', columns: ['c"d'], rows: [['Rex']] };
    expect((await probe(open([table]), 'is Rex there')).map(({ value }) => value)).toEqual(['Rex']);
  });

  it('leaves out relations that are too big, empty, or views of the others', async () => {
    const opened = open([
      { ...CITIES, name: 'big', rowCount: 1_000_001 },
      { ...CITIES, name: 'none', rows: [] },
      { ...CITIES, name: 'seen', kind: 'view' },
      CITIES,
    ]);
    const found = await probe(opened, 'York');
    expect(found.map(({ attribute }) => attribute)).toEqual(['cities#name']);
    expect(opened.statements).toHaveLength(1);
  });

  it('names what it did not look through: too big, failed, out of time, too many cells', async () => {
    const many = Array.from({ length: 300 }, (_, blanks) => [`${' '.repeat(blanks)}York`, 'UK']);
    const opened = open(
      [
        { ...CITIES, name: 'huge', rowCount: 1_000_001 },
        { ...CITIES, name: 'broken' },
        { ...CITIES, name: 'slow', rowCount: 60_000 },
        { ...CITIES, name: 'many', rows: many },
        { name: 'numbers', columns: ['n_a'], rows: [['1']], rowCount: 2_000_000 },
        { ...CITIES, name: 'large', rowCount: 50_001 },
        CITIES,
      ],
      async (sql) => {
        if (sql.includes('"broken"')) throw new Error('disk I/O error');
        if (sql.includes('"slow"')) throw new AskemaError('QUERY_TIMEOUT', 'The statement did not end in time.');
      },
    );
    const found = await searchValues(opened.adapter, opened.catalog, 'York', { context: createCallContext() });
    expect(found.unsearched).toEqual(['huge', 'broken', 'slow', 'many']);
    expect(found.matches.map(({ attribute }) => attribute)).toContain('large#name');
  });

  it('of many relations asks those that the question is about, and names the others', async () => {
    const other = (name: string): Table => ({ ...CITIES, name, columns: ['label', 'note'] });
    const tables = [...Array.from({ length: 30 }, (_, place) => other(`t${place}`)), CITIES, other('river_cities')];
    const opened = open(tables);
    const options = { context: createCallContext(), maxRelations: 2 };
    const found = await searchValues(opened.adapter, opened.catalog, 'Which cities are called York?', options);
    expect(found.matches.map(({ attribute }) => attribute)).toEqual(['cities#name', 'river_cities#label']);
    expect(opened.statements).toHaveLength(1);
    expect(opened.statements.join(' ')).not.toContain('"t1"');
    expect(found.unsearched).toEqual(tables.slice(0, 30).map(({ name }) => name));
    const many = await searchValues(opened.adapter, opened.catalog, 'York', { ...options, maxRelations: 32 });
    expect([many.matches.length, many.unsearched]).toEqual([32, []]);
  });

  it('takes from an index what is too big to be searched, piece by piece, and nothing that is only a little like it', async () => {
    const opened = open([{ ...CITIES, name: 'huge', rowCount: 1_000_001 }, CITIES]);
    const attribute = attributeId(relationId(['huge']), 'name');
    const valueIndex = {
      find: async ({ text }: { readonly text: string }) =>
        text === 'York'
          ? [
              { mention: text, attribute, value: 'York', score: 1 },
              { mention: text, attribute, value: 'Yorkshire', score: 0.85 },
            ]
          : [],
      covers: async () => 'whole' as const,
      close: async () => undefined,
    };
    const context = createCallContext();
    const found = await searchValues(opened.adapter, opened.catalog, 'Who lives in York?', { context, valueIndex });
    expect(found.matches.map((match) => [match.attribute, match.value, match.mention])).toEqual([
      ['huge#name', 'York', 'York'],
      ['cities#name', 'York', 'York'],
    ]);
    expect([found.unsearched, opened.statements.length]).toEqual([[], 1]);
  });

  it('searches views when there is nothing else', async () => {
    expect(await probe(open([{ ...CITIES, kind: 'view' }]), 'York')).toHaveLength(1);
  });

  it('goes on when a relation fails', async () => {
    const opened = open([CITIES, { ...CITIES, name: 'broken' }], async (sql) => {
      if (sql.includes('"broken"')) throw new Error('disk I/O error');
    });
    expect((await probe(opened, 'York')).map(({ attribute }) => attribute)).toEqual(['cities#name']);
  });

  it('returns what it has when the time is over', async () => {
    const opened = open([CITIES, { ...CITIES, name: 'slow', rowCount: 9 }], async (sql, { timeoutMs }) => {
      if (!sql.includes('"slow"')) return;
      expect(timeoutMs).toBeLessThanOrEqual(80);
      throw new AskemaError('QUERY_TIMEOUT', 'The statement did not end in time.');
    });
    expect((await probe(opened, 'York', { timeoutMs: 80 })).map(({ attribute }) => attribute)).toEqual(['cities#name']);
  });

  it('asks no more than a few at the same time', async () => {
    let running = 0;
    let most = 0;
    const tables = Array.from(
      { length: 12 },
      (_, place): Table => ({ ...CITIES, name: `t${place}`, rowCount: 30_000 }),
    );
    const opened = open(tables, async () => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      await Promise.resolve();
      running -= 1;
    });
    await probe(opened, 'York', { concurrency: 3 });
    expect(opened.statements).toHaveLength(12);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(3);
  });

  it('stops with ABORTED when the caller aborts, before and while it runs', async () => {
    const controller = new AbortController();
    const opened = open([CITIES, { ...CITIES, name: 'other' }], async () => controller.abort());
    const context = createCallContext({ signal: controller.signal });
    await expect(probe(opened, 'York', { context })).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(probe(opened, 'York', { context })).rejects.toMatchObject({ code: 'ABORTED' });
    expect(opened.statements.length).toBeLessThanOrEqual(2);
  });

  it('caps the matches, and asks nothing for a question of stop words', async () => {
    const opened = open([CITIES]);
    expect(await probe(opened, 'New York and York in the USA', { maxMatches: 1 })).toHaveLength(1);
    opened.statements.length = 0;
    expect(await probe(opened, 'how many are there?')).toEqual([]);
    expect(opened.statements).toEqual([]);
  });
});
