import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AdapterSpec, AddressRequest, OpenAddress } from '@askema/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AddressedAdapter, AddressOpeners } from './address-openers.ts';
import { openAddress } from './open-address.ts';

let folder: string;
let opened: { readonly adapter: AddressedAdapter; readonly address: string; readonly request: AddressRequest }[];

beforeEach(() => {
  opened = [];
});
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'askema-address-'));
  write('shop.sqlite', `SQLite format 3\0${'x'.repeat(100)}`);
  write('renamed.csv', `SQLite format 3\0${'x'.repeat(100)}`);
  write('warehouse.db', `12345678DUCK${'x'.repeat(100)}`);
  write('sales.bin', `PAR1${'x'.repeat(100)}`);
  for (const name of ['a.csv', 'b.tsv', 'c.json', 'd.jsonl', 'e.ndjson.gz', 'f.CSV.GZ', 'g.parquet', 'new.duckdb'])
    write(name, 'a,b');
  write('tables/orders.csv', 'id');
  write('parts/year=2024/part.parquet', 'PAR1');
  write('nested/2024/may/orders.csv.zst', 'id');
  write('code/src/main.ts', '');
  write('project/node_modules/left-pad/package.json', '{}');
  write('project/.cache/data.json', '{}');
  write('mixed/shop.sqlite', '');
  write('mixed/orders.csv', 'id');
  write('a?mode=memory&x#%2e%2e.sqlite', `SQLite format 3\0${'x'.repeat(100)}`);
  write('odd:name.sqlite', `SQLite format 3\0${'x'.repeat(100)}`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text, 'latin1');
}

function opener(adapter: AddressedAdapter) {
  return async () => async (address: string, request: AddressRequest) => {
    opened.push({ adapter, address, request });
    return { name: adapter } as AdapterSpec;
  };
}

const openers: AddressOpeners = {
  postgres: opener('postgres'),
  mysql: opener('mysql'),
  duckdb: opener('duckdb'),
  snowflake: opener('snowflake'),
  bigquery: opener('bigquery'),
};

async function open(address: string, access: 'read' | 'write' = 'read', schemes: Record<string, OpenAddress> = {}) {
  const request = { access, environment: { PGPASSWORD: 'x' }, folder };
  const spec = await openAddress(address, request, { configured: ['sales'], openers, schemes });
  return { spec, ...opened[0] };
}

describe('openAddress', () => {
  it('says when a scheme was given an adapter in place of what opens its addresses', async () => {
    const factory = (options: { readonly file?: string }) => {
      if (typeof options !== 'object') throw new Error('give an object of options');
      return {} as AdapterSpec;
    };
    const given = (adapter: unknown) => open('quick:shop.db', 'read', { quick: adapter as OpenAddress });
    await expect(given(factory)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(
        /`schemes\.quick`.*schemes: \{ quick: openAddress \}\. It said: give an object of/,
      ),
    });
    await expect(given(() => ({}))).rejects.toThrow(/`schemes\.quick` opens no addresses: it returned at once/);
  });

  it.each([
    ['postgres://host/shop', 'postgres'],
    ['postgresql://host/shop', 'postgres'],
    ['mysql://host/shop', 'mysql'],
    ['mariadb://host/shop?ssl-mode=required', 'mysql'],
    ['duckdb:shop.duckdb', 'duckdb'],
    ['snowflake://account/db/schema', 'snowflake'],
    ['BigQuery://project/dataset', 'bigquery'],
  ])('hands %s on to %s as it is, with what was asked for', async (address, adapter) => {
    const given = await open(address, 'write');
    expect(given).toMatchObject({ adapter, address });
    expect(given.request).toMatchObject({ access: 'write', environment: { PGPASSWORD: 'x' }, folder });
  });

  it.each([
    ['shop.sqlite'],
    ['./shop.sqlite'],
    ['sqlite:shop.sqlite'],
    ['renamed.csv'],
    ['odd:name.sqlite'],
    ['a?mode=memory&x#%2e%2e.sqlite'],
    ['sqlite:a?mode=memory&x#%2e%2e.sqlite'],
    ['file:shop.sqlite'],
  ])('opens %s as SQLite, by what is in it', async (address) => {
    const { spec } = await open(address, 'write');
    expect(spec).toMatchObject({ dialect: { name: 'sqlite' }, access: 'write' });
    await spec.close();
  });

  it.each([
    ['warehouse.db'],
    ['sales.bin'],
    ['a.csv'],
    ['b.tsv'],
    ['c.json'],
    ['d.jsonl'],
    ['e.ndjson.gz'],
    ['f.CSV.GZ'],
    ['g.parquet'],
    ['new.duckdb'],
    ['tables'],
    ['parts'],
    ['nested'],
  ])('opens %s with DuckDB, by its absolute path', async (name) => {
    expect(await open(name)).toMatchObject({ adapter: 'duckdb', address: `duckdb:${join(folder, name)}` });
  });

  it('hands an address of a third party to what the configuration names for its scheme', async () => {
    const oracle: OpenAddress = async (address, { access }) => ({ name: `${address} for ${access}` }) as AdapterSpec;
    expect((await open('Oracle://host/x', 'write', { oracle })).spec.name).toBe('Oracle://host/x for write');
    const wrong = open('orackle://host/x', 'read', { oracle });
    await expect(wrong).rejects.toMatchObject({ message: expect.stringContaining('Did you mean `oracle`') });
    const taken = open('mysql://host/x', 'read', { mysql: oracle });
    await expect(taken).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await expect(open('constructor://host/x', 'read', { oracle })).rejects.toMatchObject({
      code: 'CAPABILITY_UNSUPPORTED',
    });
  });

  it('takes URLs of files', async () => {
    const address = pathToFileURL(join(folder, 'a.csv')).href;
    expect(await open(address)).toMatchObject({ adapter: 'duckdb', address: `duckdb:${join(folder, 'a.csv')}` });
  });

  it.each([
    ['gone.parquet', 'DATABASE_NOT_FOUND', /There is no database gone\.parquet/],
    ['a.csx', 'DATABASE_NOT_FOUND', /Did you mean `a\.csv`/],
    ['saless', 'DATABASE_NOT_FOUND', /Did you mean `sales`/],
    ['code', 'DATABASE_INVALID', /code is a folder without databases/],
    ['project', 'DATABASE_INVALID', /project is a folder without databases/],
    ['mixed', 'DATABASE_INVALID', /Databases in it: mixed\/shop\.sqlite/],
    ['sqlite:tables', 'DATABASE_INVALID', /Leave the scheme out/],
    ['oracle://ada:word-of-ada@host/x', 'CAPABILITY_UNSUPPORTED', /start with `oracle:`/],
    ['bigqery://p/d', 'CAPABILITY_UNSUPPORTED', /Did you mean `bigquery`/],
    ['sqlite://ada:word-of-ada@host/x', 'CONFIG_INVALID', /names no user/],
    ['file://ada:word-of-ada@host/x', 'CONFIG_INVALID', /names no user/],
  ])('of %s says %s', async (address, code, message) => {
    const error = await open(address).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(JSON.stringify(error)).not.toContain('word-of-ada');
    expect(opened).toEqual([]);
  });
});
