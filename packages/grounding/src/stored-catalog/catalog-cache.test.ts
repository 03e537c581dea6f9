import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Adapter, type Catalog, createCallContext, resolveAdapter } from '@askema/core';
import { catalogFixture, fixtureDialect, fixtureSpec, schemaFixture } from '@askema/testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CatalogCacheOptions, createCatalogCache, type FindOptions, type FoundCatalog } from './catalog-cache.ts';
import type { DrawnValues } from './catalog-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'askema-catalogs-'));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

const catalog: Catalog = catalogFixture(schemaFixture({ customer: { attributes: ['name TEXT'] } }));
const drawn: DrawnValues = {
  keys: [],
  samples: { limit: 3, values: { 'customer#name': { values: ['Ada'], isCut: false, isWhole: true } } },
};

interface Told {
  identity: string;
  structure: string | undefined;
  data: string | undefined;
}

function adapterThat(told: Partial<Told>, parts: Partial<Adapter> = {}): Adapter {
  const all: Told = { identity: 'i', structure: 's', data: 'd', ...told };
  const stamps = {
    identity: async () => all.identity,
    structure: async () => all.structure,
    data: async () => all.data,
  };
  return { ...resolveAdapter({ ...fixtureSpec(() => []), name: 'shop', stamps }), ...parts };
}

/** What a new process finds. */
function find(adapter: Adapter, options: Partial<CatalogCacheOptions> = {}, finding: Partial<FindOptions> = {}) {
  return createCatalogCache(adapter, { folder, ...options }).find({ context: createCallContext(), ...finding });
}

/** What a process keeps that ends at once. */
async function keep(
  adapter: Adapter,
  {
    options = {},
    finding = {},
    kept = catalog,
    values = drawn,
  }: {
    readonly options?: Partial<CatalogCacheOptions>;
    readonly finding?: Partial<FindOptions>;
    readonly kept?: Catalog;
    readonly values?: DrawnValues;
  } = {},
): Promise<FoundCatalog> {
  const cache = createCatalogCache(adapter, { folder, ...options });
  const found = await cache.find({ context: createCallContext(), ...finding });
  found.keep(kept, values);
  await cache.close();
  return found;
}

describe('createCatalogCache', () => {
  it('gives a catalog and what was drawn for it to the next process, from a file for this user alone', async () => {
    expect((await keep(adapterThat({}))).catalog).toBeUndefined();
    const [file = '', ...others] = readdirSync(folder);
    expect(others).toEqual([]);
    expect(file).toMatch(/^[0-9a-f]{40}\.catalog$/);
    if (process.platform !== 'win32') expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    const found = await find(adapterThat({}));
    expect([found.catalog, found.drawn]).toEqual([catalog, drawn]);
  });

  const owner = {
    adapter: adapterThat({}),
    options: { tenant: 'a' },
    finding: { include: ['customer'] },
  };
  it.each([
    ['another identity', { adapter: adapterThat({ identity: 'j' }) }],
    ['another name', { adapter: adapterThat({}, { name: 'store' }) }],
    ['another dialect', { adapter: adapterThat({}, { dialect: { ...fixtureDialect, name: 'other' } }) }],
    ['another access', { adapter: adapterThat({}, { access: 'write' }) }],
    ['another tenant', { options: { tenant: 'b' } }],
    ['no tenant', { options: {} }],
    ['other globs', { finding: { include: ['cust*'] } }],
    ['no globs', { finding: {} }],
    ['a scope with tags', { adapter: adapterThat({}).scope({ tags: { tenant: 'a' } }) }],
    ['an adapter without stamps', { adapter: adapterThat({}, { stamps: undefined }) }],
  ])('gives nothing to %s, in either direction', async (_who, other) => {
    const first = { ...owner, ...other };
    await keep(owner.adapter, owner);
    expect((await find(owner.adapter, owner.options, owner.finding)).catalog).toEqual(catalog);
    expect((await find(first.adapter, first.options, first.finding)).catalog).toBeUndefined();
    rmSync(folder, { recursive: true });
    await keep(first.adapter, first);
    expect((await find(owner.adapter, owner.options, owner.finding)).catalog).toBeUndefined();
  });

  it('keeps the scopes of two tenants apart', async () => {
    await keep(adapterThat({}).scope({ tags: { tenant: 'a' } }));
    expect((await find(adapterThat({}).scope({ tags: { tenant: 'a' } }))).catalog).toEqual(catalog);
    expect((await find(adapterThat({}).scope({ tags: { tenant: 'b' } }))).catalog).toBeUndefined();
  });

  it('does not take the file of another identity for its own, under whatever name it lies', async () => {
    await keep(adapterThat({ identity: 'mine' }));
    const [mine = ''] = readdirSync(folder);
    await keep(adapterThat({ identity: 'yours' }));
    const yours = readdirSync(folder).find((name) => name !== mine) ?? '';
    writeFileSync(join(folder, mine), readFileSync(join(folder, yours)));
    expect((await find(adapterThat({ identity: 'mine' }))).catalog).toBeUndefined();
  });

  it('ends samples and keys when the data has changed, and keeps new ones', async () => {
    await keep(adapterThat({ data: 'd' }));
    const found = await keep(adapterThat({ data: 'e' }), { values: { samples: { limit: 3, values: {} } } });
    expect([found.catalog, found.drawn]).toEqual([catalog, undefined]);
    expect((await find(adapterThat({ data: 'e' }))).drawn?.samples?.values).toEqual({});
    expect((await find(adapterThat({ data: 'd' }))).drawn).toBeUndefined();
  });

  it('draws no conclusion from counts of before: nothing is exact, and nothing is empty', async () => {
    const relations = { ...catalog.relations };
    const [id = ''] = Object.keys(relations);
    const counted = (rowCount: number): Catalog => ({
      ...catalog,
      relations: { [id]: { ...relations[id]!, rowCount, rowCountExact: true, byteCount: 1 } },
    });
    for (const [rowCount, expected] of [
      [7, 7],
      [0, undefined],
    ] as const) {
      await keep(adapterThat({}), { kept: counted(rowCount), finding: { refresh: true } });
      expect((await find(adapterThat({}))).catalog).toEqual(counted(rowCount));
      const info = (await find(adapterThat({ data: 'e' }))).catalog?.relations[id];
      expect([info?.rowCount, info?.rowCountExact]).toEqual([expected, undefined]);
    }
  });

  it('is for its data alone where fields of documents were found in it', async () => {
    const attributes = {
      'customer#name': { position: 1, nativeType: 'JSON', nestedFields: [{ path: ['x'], nativeType: '' }] },
    };
    await keep(adapterThat({}), { kept: { ...catalog, attributes } });
    expect((await find(adapterThat({}))).catalog?.attributes).toEqual(attributes);
    expect((await find(adapterThat({ data: 'e' }))).catalog).toBeUndefined();
  });

  it('is out of date when the structure has changed, or nobody knows whether it has', async () => {
    await keep(adapterThat({}));
    expect((await find(adapterThat({ structure: 't', data: 'e' }))).catalog).toBeUndefined();
    expect((await find(adapterThat({ structure: undefined, data: undefined }))).catalog).toBeUndefined();
    expect((await find(adapterThat({ structure: undefined, data: 'd' }))).catalog).toEqual(catalog);
    await keep(adapterThat({ identity: 'unknown', structure: undefined }));
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('keeps no values where the engine does not say whether they have changed', async () => {
    await keep(adapterThat({ data: undefined }));
    expect((await find(adapterThat({ data: undefined }))).catalog).toEqual(catalog);
    const [file = ''] = readdirSync(folder);
    expect(readFileSync(join(folder, file), 'utf8')).not.toContain('Ada');
  });

  it('has an age limit, which using a catalog does not put off; one with gaps is used for ten minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const minutes = (count: number): void => void vi.setSystemTime(Date.now() + count * 60_000);
    await keep(adapterThat({}), { options: { maxAgeMs: 3_600_000 } });
    minutes(50);
    expect((await keep(adapterThat({ data: 'e' }), { options: { maxAgeMs: 3_600_000 } })).catalog).toEqual(catalog);
    minutes(20);
    expect((await find(adapterThat({ data: 'e' }), { maxAgeMs: 3_600_000 })).catalog).toBeUndefined();
    expect((await find(adapterThat({ data: 'e' }))).catalog).toEqual(catalog);
    minutes(24 * 60);
    expect((await find(adapterThat({ data: 'e' }))).catalog).toBeUndefined();
    minutes(-3 * 24 * 60);
    expect((await find(adapterThat({ data: 'e' }))).catalog).toBeUndefined();

    await keep(adapterThat({}), { kept: { ...catalog, incomplete: [{ subject: 'x', reason: 'no time' }] } });
    minutes(9);
    expect((await find(adapterThat({}))).catalog).toBeDefined();
    minutes(2);
    expect((await find(adapterThat({}))).catalog).toBeUndefined();
  });

  it('keeps nothing at an age of 0, and removes what is too old with the next write', async () => {
    await keep(adapterThat({}), { options: { maxAgeMs: 0 } });
    expect(readdirSync(folder)).toEqual([]);
    await keep(adapterThat({ identity: 'old' }));
    const before = new Date(Date.now() - 2 * 86_400_000);
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), before, before);
    await keep(adapterThat({ identity: 'new' }));
    expect((await find(adapterThat({ identity: 'new' }))).catalog).toBeDefined();
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('reads anew with refresh, and what was read takes the place of what was kept', async () => {
    await keep(adapterThat({}));
    const other = catalogFixture(schemaFixture({ orders: { attributes: ['id NUMERIC'] } }));
    const found = await keep(adapterThat({}), { finding: { refresh: true }, kept: other, values: {} });
    expect(found.catalog).toBeUndefined();
    expect((await find(adapterThat({}))).catalog).toEqual(other);
  });

  it('asks once, and again where it is refreshed', async () => {
    let asked = 0;
    const { stamps, ...rest } = adapterThat({});
    const counting = { ...rest, stamps: { ...stamps!, data: async () => `${++asked}` } };
    const cache = createCatalogCache(counting, { folder });
    const context = createCallContext();
    await Promise.all([cache.find({ context }), cache.find({ context })]);
    expect(asked).toBe(1);
    await cache.find({ context, refresh: true });
    expect(asked).toBe(2);
  });

  it('reads the database where a stamp fails or the folder cannot be used, without a word', async () => {
    const { stamps } = adapterThat({});
    const failing = adapterThat({}, { stamps: { ...stamps!, identity: () => Promise.reject(new Error('gone')) } });
    expect((await keep(failing)).catalog).toBeUndefined();
    const nowhere = join(folder, 'a', 'b');
    await keep(adapterThat({}), { options: { folder: nowhere } });
    expect((await find(adapterThat({}), { folder: nowhere })).catalog).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('rejects where whoever asks has gone, and refuses options that cannot work', async () => {
    const context = createCallContext({ signal: AbortSignal.abort() });
    await expect(find(adapterThat({}), {}, { context })).rejects.toMatchObject({ code: 'ABORTED' });
    for (const options of [{ folder: '' }, { maxAgeMs: -1 }, { maxAgeMs: Number.NaN }])
      expect(() => createCatalogCache(adapterThat({}), { folder, ...options })).toThrow(
        expect.objectContaining({ code: 'CONFIG_INVALID' }),
      );
  });
});
