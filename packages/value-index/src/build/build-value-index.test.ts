import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AskemaError, attributeId } from '@askema/core';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Cells, cellCatalog, cellDatabase } from '../test-support/cell-database.ts';
import { openHere } from '../test-support/open-here.ts';
import type { BuildValueIndexOptions } from './build-options.ts';
import { buildValueIndex, takeBuilderLock } from './build-value-index.ts';

const FILMS: Cells = {
  cartoon: { title: ['The Rise', 'Fall of Night'], written_by: ['Todd Casey', null, 'Joseph Kuhr'] },
  person: { name: ['Ann Lee', 'Ann Lee', 'Bo Ek'], email: ['ann@example.org', 'bo@example.org'] },
};
const written = attributeId('cartoon', 'written_by');
const name = attributeId('person', 'name');

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'askema-values-'));
  path = join(folder, 'cells.values');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function build(cells: Cells, options: Partial<BuildValueIndexOptions> = {}) {
  return buildValueIndex({ adapter: cellDatabase(cells).adapter, catalog: cellCatalog(cells), path, ...options });
}

async function find(text: string, attributes?: readonly string[]) {
  using index = await openHere(path);
  const found = index.find({ text, attributes, limit: 5 });
  return found.map(({ attribute, value }) => `${attribute}=${value}`);
}

describe('a build', () => {
  test('holds distinct cells of text attributes, and says how many', async () => {
    const stats = await build(FILMS);
    expect(stats).toMatchObject({
      catalogName: 'cells',
      values: 8,
      staleAttributes: 0,
      build: { read: 4, unchanged: 0 },
    });
    expect(stats.attributes.find(({ attribute }) => attribute === name)).toEqual({
      attribute: name,
      state: 'ready',
      coverage: 'whole',
      values: 2,
      stale: false,
    });
    expect(await find('todd casey')).toEqual([`${written}=Todd Casey`]);
  });

  test('leaves one file, readable by its owner only', async () => {
    await build(FILMS);
    expect(readdirSync(folder)).toEqual(['cells.values']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('reports its progress to the end', async () => {
    const seen: string[] = [];
    await build(FILMS, { onProgress: ({ done, total, values }) => seen.push(`${done}/${total} ${values}`) });
    expect(seen.at(-1)).toBe('4/4 8');
  });

  test('goes on when whoever listens to it throws', async () => {
    const onProgress = () => {
      throw new Error('no');
    };
    expect((await build(FILMS, { onProgress })).values).toBe(8);
  });

  test('takes numbers that are stored as text, as text', async () => {
    await build({ room: { code: [101, '102', 7.5] } });
    expect(await find('101')).toEqual(['room#code=101']);
  });

  test('sends one bounded statement for each attribute, and none that writes', async () => {
    const { adapter, sent } = cellDatabase(FILMS);
    await build(FILMS, { adapter, detectChanges: 'row count' });
    expect(sent).toHaveLength(4);
    expect(sent[0]).toBe(
      `SELECT DISTINCT CASE WHEN LENGTH(CAST("title" AS TEXT)) <= 200 THEN CAST("title" AS TEXT) END AS cell FROM "cartoon" AS probed WHERE "title" IS NOT NULL LIMIT 100002`,
    );
  });
});

describe('what is chosen', () => {
  test('globs over relation.attribute', async () => {
    const stats = await build(FILMS, { include: ['cartoon.*', 'email'], exclude: ['*.title'] });
    expect(stats.attributes.map(({ attribute }) => attribute).sort()).toEqual([written, 'person#email']);
  });

  test('personal attributes can be left out, and a later build leaves no trace of what an earlier one held', async () => {
    await build(FILMS);
    expect(readFileSync(path).includes('ann@example.org')).toBe(true);
    await build(FILMS, { excludePersonal: true });
    const file = readFileSync(path);
    expect(file.includes('example.org')).toBe(false);
    expect(file.includes('Todd Casey')).toBe(true);
    expect(await find('ann@example.org')).toEqual([]);
    const index = new Database(path, { readonly: true });
    expect(index.prepare('SELECT count(*) FROM gram WHERE gram MATCH \'"xam"\'').pluck().get()).toBe(0);
    expect(index.prepare("SELECT count(*) FROM gram_count WHERE gram = 'xam'").pluck().get()).toBe(0);
    index.close();
  });
});

describe('limits', () => {
  test.each([
    ['values', { maxValuesPerAttribute: 2 }, 2, /maxValuesPerAttribute/],
    ['length', { maxValueLength: 3 }, 2, /maxValueLength/],
    ['rows', { sampleRows: 2 }, 2, /sampleRows/],
    ['bytes', { maxBytes: 9 }, 2, /maxBytes/],
  ])('of %s make an attribute known in part', async (_, limits, values, reason) => {
    const stats = await build({ t: { a: ['abc', 'def', 'longer than most'] } }, limits);
    expect(stats.attributes).toMatchObject([{ coverage: 'part', values, reason: expect.stringMatching(reason) }]);
    using index = await openHere(path);
    expect(index.covers('t#a')).toBe('part');
  });

  test('exactly as many cells as may be are the whole attribute', async () => {
    const stats = await build({ t: { a: ['x', 'y'] } }, { maxValuesPerAttribute: 2 });
    expect(stats.attributes).toMatchObject([{ coverage: 'whole', values: 2 }]);
  });

  test('what a budget of bytes leaves over, the next build reads', async () => {
    const cells = { t: { a: ['abcdefgh'] }, u: { b: ['abcdefgh', 'ijklmnop'] } };
    const first = await build(cells, { maxBytes: 8 });
    expect(first.attributes.map(({ attribute, state }) => `${attribute} ${state}`)).toEqual([
      't#a ready',
      'u#b pending',
    ]);
    const second = await build(cells, { maxBytes: 100 });
    expect(second).toMatchObject({ values: 3, build: { read: 1, unchanged: 1 } });
  });

  test('a statement that the planner takes for too dear is not run', async () => {
    const planner = { check: async () => ({ verdict: 'ok', estimatedBytes: 5_000 }) as const };
    const { adapter, sent } = cellDatabase(FILMS, { planner });
    const stats = await build(FILMS, { adapter, maxBytes: 4_000 });
    expect(sent).toEqual([]);
    expect(stats.attributes[0]).toMatchObject({ state: 'pending', reason: expect.stringContaining('5000 bytes') });
  });

  test('that are none are refused', async () => {
    await expect(build(FILMS, { maxBytes: 0 })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });
});

describe('a second build', () => {
  test('reads nothing when nothing has changed, and everything when told to', async () => {
    await build(FILMS);
    expect((await build(FILMS)).build).toMatchObject({ read: 0, unchanged: 4 });
    expect((await build(FILMS, { refresh: true })).build).toMatchObject({ read: 4 });
    expect(await find('Bo Ek')).toEqual([`${name}=Bo Ek`]);
  });

  test('reads the attribute whose cells have changed, and forgets its old ones', async () => {
    await build(FILMS);
    const changed = {
      ...FILMS,
      cartoon: { title: ['The Rise', 'Fall of Night'], written_by: ['Todd Caseys', 'Joseph Kuhr'] },
    };
    expect((await build(changed)).build).toMatchObject({ read: 1, unchanged: 3 });
    expect(await find('Todd Casey', [written])).toEqual([`${written}=Todd Caseys`]);
  });

  test('reads what was read under other limits', async () => {
    await build(FILMS, { maxValuesPerAttribute: 1 });
    expect((await build(FILMS)).values).toBe(8);
  });

  test('forgets attributes that are gone', async () => {
    await build(FILMS);
    const stats = await build({ person: FILMS.person ?? {} });
    expect(stats.attributes.map(({ attribute }) => attribute)).toEqual([name, 'person#email']);
  });

  test('clears away what many readings have left behind', async () => {
    const cells = { t: { a: Array.from({ length: 3_000 }, (_, at) => `cell ${at}`) } };
    await build(cells);
    const { bytesOnDisk } = await build(cells, { refresh: true });
    for (let round = 0; round < 3; round += 1) await build(cells, { refresh: true });
    expect(statSync(path).size).toBeLessThan(bytesOnDisk * 1.5);
    expect(await find('cell 2999')).toContain('t#a=cell 2999');
  }, 30_000);
});

describe('what goes wrong', () => {
  test('an attribute that fails is noted without its cells, and the others are read', async () => {
    const { adapter } = cellDatabase(FILMS);
    const failing = cellDatabase(FILMS, {
      executor: {
        async *execute(sql, options) {
          yield* adapter.executor.execute(sql, options);
          if (sql.startsWith('SELECT DISTINCT') && sql.includes('written_by'))
            throw new AskemaError('QUERY_FAILED', 'Todd Casey is no number');
        },
      },
    });
    const stats = await build(FILMS, { adapter: failing.adapter });
    expect(stats.attributes.find(({ attribute }) => attribute === written)).toEqual({
      attribute: written,
      state: 'failed',
      coverage: 'none',
      values: 0,
      stale: false,
      reason: 'QUERY_FAILED',
    });
    expect(stats.values).toBe(6);
    expect(await find('Todd Casey')).toEqual([]);
    expect((await build(FILMS)).build).toMatchObject({ read: 1, unchanged: 3 });
  });

  test('a statement that runs out of time leaves what came until then', async () => {
    const { adapter } = cellDatabase(FILMS);
    const slow = cellDatabase(FILMS, {
      executor: {
        async *execute(sql, options) {
          for await (const event of adapter.executor.execute(sql, options)) if (event.type !== 'end') yield event;
          throw new AskemaError('QUERY_TIMEOUT', 'too slow');
        },
      },
    });
    const stats = await build({ person: FILMS.person ?? {} }, { adapter: slow.adapter });
    expect(stats.attributes[0]).toMatchObject({
      coverage: 'part',
      values: 2,
      reason: expect.stringContaining('ran out'),
    });
  });

  test('a build that its caller stops keeps what was read whole', async () => {
    const controller = new AbortController();
    const stopped = build(FILMS, {
      signal: controller.signal,
      onProgress: ({ done }) => done === 2 && controller.abort(),
    });
    await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' });
    expect((await build(FILMS)).build).toMatchObject({ read: 2, unchanged: 2 });
    expect(readdirSync(folder)).toEqual(['cells.values']);
  });

  test('two builds of one file: the second is refused', async () => {
    const lock = takeBuilderLock(Database, path);
    await expect(build(FILMS)).rejects.toMatchObject({ code: 'DATABASE_LOCKED', retryable: true });
    lock.release();
    expect((await build(FILMS)).values).toBe(8);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  test('a file that is something else is left alone', async () => {
    writeFileSync(path, 'some text that is no database, and rather long');
    await expect(build(FILMS)).rejects.toMatchObject({ code: 'DATABASE_INVALID' });
    expect(readFileSync(path, 'utf8')).toMatch(/^some text/);
  });

  test('the index of another database is refused', async () => {
    await build(FILMS);
    const other = { customer: { city: ['Oslo'] } };
    await expect(build(other)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await expect(openHere(path, cellCatalog(other))).rejects.toThrow(
      /built from another sqlite database "cells", or from another state of it/,
    );
  });
});
