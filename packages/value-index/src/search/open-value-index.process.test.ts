import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attributeId, createCallContext } from '@askema/core';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyCharacter } from '../../../../scripts/testing/any-character.ts';
import { buildValueIndex } from '../build/build-value-index.ts';
import { type Cells, cellCatalog, cellDatabase } from '../test-support/cell-database.ts';
import { openValueIndex, type SqliteValueIndex } from './open-value-index.ts';

const HOSTILE = [
  `O'Neill "the" %_`,
  '100%',
  'a_b',
  'x" OR "y',
  'NEAR(a b) AND NOT c*',
  'nul\0inside',
  '***',
  'é',
  '東京都',
  '--',
  'Ünïcödé Straße',
];
const CELLS: Cells = {
  cartoon: {
    written_by: ['Todd Casey', 'Joseph Kuhr', 'Matt Wayne'],
    directed_by: ['Ben Jones', 'Brandon Vietti', 'Todd Casey'],
  },
  place: {
    name: ['New York City', 'San Francisco', 'São Paulo', 'Department of Education', 'Cities', 'California', 'Casey'],
    code: ['LAX', 'SFO', 'B-', 'B'],
  },
  odd: { text: HOSTILE },
};
const written = attributeId('cartoon', 'written_by');
const directed = attributeId('cartoon', 'directed_by');
const context = createCallContext();

let folder: string;
let path: string;
let index: SqliteValueIndex;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'askema-values-'));
  path = join(folder, 'cells.values');
  await buildValueIndex({ adapter: cellDatabase(CELLS).adapter, catalog: cellCatalog(CELLS), path });
  index = await openValueIndex(path, { catalog: cellCatalog(CELLS) });
});
afterAll(async () => {
  await index.close();
  rmSync(folder, { recursive: true, force: true });
});

async function find(text: string, attributes?: readonly string[], limit = 5) {
  return (await index.find({ text, attributes, limit, context })).map(({ value }) => value);
}

describe('a look-up', () => {
  test.each([
    ['exact text', 'San Francisco', 'San Francisco'],
    ['case', 'san FRANCISCO', 'San Francisco'],
    ['accents', 'Sao Paulo', 'São Paulo'],
    ['marks and blanks', 'new-york  city', 'New York City'],
    ['no blanks at all', 'NewYorkCity', 'New York City'],
    ['order of words', 'Kuhr, Joseph', 'Joseph Kuhr'],
    ['singular', 'city', 'Cities'],
    ['initials', 'NYC', 'New York City'],
    ['another name', 'CA', 'California'],
    ['a letter too many', 'Joseph Kuhhr', 'Joseph Kuhr'],
    ['letters swapped', 'Mtat Wayne', 'Matt Wayne'],
    ['one edit of a short word', 'Caesy', 'Casey'],
    ['abbreviations', 'Dept. of Educ.', 'Department of Education'],
    ['a piece', 'Francisco', 'San Francisco'],
  ])('finds by %s', async (_, text, cell) => {
    expect((await find(text))[0]).toBe(cell);
  });

  test('says in which attributes, with a score, as what was asked', async () => {
    expect(await index.find({ text: 'todd casey', limit: 5, context })).toEqual(
      [
        { mention: 'todd casey', attribute: written, value: 'Todd Casey', score: 0.98 },
        { mention: 'todd casey', attribute: directed, value: 'Todd Casey', score: 0.98 },
        expect.objectContaining({ value: 'Casey' }),
      ].slice(0, 2),
    );
  });

  test('stays within attributes', async () => {
    expect(await index.find({ text: 'Tod Casey', attributes: [directed], limit: 5, context })).toMatchObject([
      { attribute: directed, value: 'Todd Casey' },
    ]);
    expect(await find('Todd Casey', ['no such attribute'])).toEqual([]);
    expect(await find('Todd Casey', [])).toEqual([]);
  });

  test('keeps what signs tell apart', async () => {
    expect((await find('B-', ['place#code']))[0]).toBe('B-');
  });

  test('gives no more than the limit, and nothing for nothing', async () => {
    expect(await find('Casey', undefined, 1)).toHaveLength(1);
    expect(await find('')).toEqual([]);
    expect(await find('qqqqqqqq zzzzzz')).toEqual([]);
  });

  test.each(HOSTILE)('takes %j for data', async (text) => {
    expect((await find(text))[0]).toBe(text);
  });

  test('finds every cell by itself, and survives any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter, maxLength: 300 }), async (text) => {
        for (const { score } of await index.find({ text, limit: 5, context })) {
          expect(score).toBeGreaterThan(0);
          expect(score).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 60 },
    );
    for (const cell of Object.values(CELLS).flatMap((relation) => Object.values(relation).flat()))
      expect((await find(String(cell)))[0]).toBe(cell);
  }, 20_000);

  test('of a very long text ends', async () => {
    expect((await find('qz xj '.repeat(100_000))).length).toBeLessThanOrEqual(5);
  });

  test('is stopped by its caller', async () => {
    const stopped = createCallContext({ signal: AbortSignal.abort() });
    await expect(index.find({ text: 'x', limit: 1, context: stopped })).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

describe('an open index', () => {
  test('says what it covers', async () => {
    expect(await index.covers(written)).toBe('whole');
    expect(await index.covers('no such attribute')).toBe('none');
  });

  test('ignores attributes whose structure has changed, and says so', async () => {
    const catalog = cellCatalog(CELLS);
    const changed = {
      ...catalog,
      attributes: { ...catalog.attributes, [written]: { position: 1, nativeType: 'VARCHAR(9)' } },
    };
    await using stale = await openValueIndex(path, { catalog: changed });
    expect((await stale.stats()).staleAttributes).toBe(1);
    expect(await stale.covers(written)).toBe('none');
    const found = await stale.find({ text: 'Todd Casey', limit: 5, context });
    expect(found.map(({ attribute }) => attribute)).toEqual([directed]);
  });

  test('of a database that has a new name is still its index', async () => {
    await using renamed = await openValueIndex(path, { catalog: { ...cellCatalog(CELLS), name: 'moved' } });
    expect((await renamed.stats()).staleAttributes).toBe(0);
  });

  test('sees what a later build has changed', async () => {
    const own = join(folder, 'changing.values');
    const first = { t: { a: ['one'] } };
    await buildValueIndex({ adapter: cellDatabase(first).adapter, catalog: cellCatalog(first), path: own });
    await using open = await openValueIndex(own);
    expect(await open.find({ text: 'three', limit: 1, context })).toEqual([]);
    const second = { t: { a: ['three'] } };
    await buildValueIndex({ adapter: cellDatabase(second).adapter, catalog: cellCatalog(second), path: own });
    expect(await open.find({ text: 'three', limit: 1, context })).toMatchObject([{ value: 'three', score: 1 }]);
  });

  test('finds the nearest cell behind many that share a word and one that is nearly as near', async () => {
    const own = join(folder, 'airlines.values');
    const others = Array.from({ length: 100 }, (_, at) => `Aa${at} Airlines`);
    const cells = { t: { a: ['Unit Airlines', ...others, 'United Airlines'] } };
    await buildValueIndex({ adapter: cellDatabase(cells).adapter, catalog: cellCatalog(cells), path: own });
    await using open = await openValueIndex(own);
    expect(await open.find({ text: 'Unitsd Airlines', limit: 1, context })).toMatchObject([
      { value: 'United Airlines' },
    ]);
  });

  test('that is closed says so', async () => {
    const closed = await openValueIndex(path);
    await closed.close();
    await closed.close();
    await expect(closed.find({ text: 'x', limit: 1, context })).rejects.toMatchObject({ code: 'DATABASE_CLOSED' });
  });

  test('needs a file', async () => {
    await expect(openValueIndex(join(folder, 'none'))).rejects.toMatchObject({ code: 'DATABASE_NOT_FOUND' });
  });
});
