import { AskemaError, memoryJournal } from '@askema/core';
import { createSqlParser } from '@askema/sql-parser';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ServedDatabase } from '../contract.ts';
import { Limiter } from '../limits/limiter.ts';
import { fakeDatabase } from '../testing/fake-database.ts';
import { DatabasePool, type PoolOptions } from './database-pool.ts';
import { journalOf } from './journal-of.ts';

const poolOf = (databases: Readonly<Record<string, ServedDatabase>>, options: Partial<PoolOptions> = {}) =>
  new DatabasePool({
    databases: new Map(Object.entries(databases)),
    limiter: new Limiter({}),
    parser: createSqlParser(),
    ...options,
  });

describe('who shares a database that is open', () => {
  test('it is opened once for all who share tenant, role, hide and mask, also while it is being opened', async () => {
    const shop = fakeDatabase();
    const pool = poolOf({ shop });
    const callers = Array.from({ length: 50 }, (_, index) => ({
      ...{ tenant: 'acme', role: 'clerk', subject: `caller-${index}` },
      hide: index % 2 === 0 ? ['users.ssn', 'users.id'] : ['users.id', 'users.ssn', 'users.id'],
    }));
    const leases = await Promise.all(callers.map((caller) => pool.lease('shop', caller)));
    expect(shop.opened).toEqual(['acme/clerk']);
    expect(new Set(leases.map(({ database }) => database.text2sql)).size).toBe(1);
  });

  test('tenants, roles and rules that look alike share nothing', async () => {
    const shop = fakeDatabase();
    const other = fakeDatabase();
    const pool = poolOf({ shop, other });
    const views = [
      ...[
        undefined,
        'a',
        'A',
        'a ',
        'á',
        'a\u0301',
        '__proto__',
        'constructor',
        'null',
        'undefined',
        '["a"]',
        'a","b',
      ].map((tenant) => ({ tenant })),
      ...[
        { tenant: 'a', role: ',b' },
        { tenant: 'a,', role: 'b' },
        { tenant: 'a', role: 'b' },
        { role: 'a' },
        { tenant: 'b', role: 'a' },
      ],
      ...[
        { tenant: 'a', hide: ['users.id'] },
        { tenant: 'a', mask: ['users.id'] },
        { tenant: 'a', hide: ['users.*'] },
      ],
    ];
    const leases = await Promise.all([
      ...views.map((view) => pool.lease('shop', view)),
      pool.lease('other', { tenant: 'a' }),
    ]);
    expect(new Set(leases.map(({ database }) => database.text2sql)).size).toBe(views.length + 1);
    expect(shop.opened).toHaveLength(views.length);
  });

  test('a pattern with the name of a database is for that one alone', async () => {
    const pool = poolOf({ shop: { ...fakeDatabase(), mask: ['users.name'] }, other: fakeDatabase() });
    const columns = async (database: string, hide: readonly string[]) => {
      const { adapter } = (await pool.lease(database, { hide })).database;
      return Object.keys((await adapter.introspect()).attributes).filter((id) => id.includes('users'));
    };
    const all = await columns('other', []);
    expect((await columns('shop', ['users.ssn@shop'])).length).toBe(all.length - 1);
    expect(await columns('other', ['users.ssn@shop'])).toEqual(all);
    expect(await columns('other', ['users.ssn@other', 'nowhere@shop'])).toEqual(await columns('shop', ['users.ssn']));
    for (const hide of [['nowhere@other'], ['users.ssn@elsewhere']])
      await expect(columns('other', hide)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    const { adapter } = (await pool.lease('shop', {})).database;
    await expect(adapter.query('SELECT name FROM users')).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
  });

  test('a name that every object has is no database, unless it is served', async () => {
    const pool = poolOf({ shop: fakeDatabase() });
    for (const name of ['__proto__', 'constructor', 'toString', 'Shop', ''])
      await expect(pool.lease(name, {})).rejects.toMatchObject({ code: 'DATABASE_NOT_FOUND' });
    const served = poolOf({ ['__proto__']: fakeDatabase(), constructor: fakeDatabase() });
    for (const name of ['__proto__', 'constructor']) expect((await served.lease(name, {})).database.name).toBe(name);
  });

  test('statements run in the role; where the adapter knows none, nobody gets in', async () => {
    const shop = fakeDatabase();
    const { database } = await poolOf({ shop }).lease('shop', { tenant: 'acme', role: 'clerk' });
    await database.adapter.query('SELECT 2');
    expect(shop.asked).toEqual(['acme/clerk: SELECT 1', 'acme/clerk: SELECT 2']);
    const plain = fakeDatabase({ parts: { scope: undefined } });
    await expect(poolOf({ plain }).lease('plain', { role: 'clerk' })).rejects.toMatchObject({
      code: 'CAPABILITY_UNSUPPORTED',
    });
    expect(plain.closed).toEqual(['-/-']);
    expect(plain.asked).toEqual([]);
  });

  test('where `open` takes on the role itself, the adapter is not asked to', async () => {
    const shop = { ...fakeDatabase({ parts: { scope: undefined } }), opensRole: true };
    const { database } = await poolOf({ shop }).lease('shop', { role: 'clerk' });
    await database.adapter.query('SELECT 1');
    expect([shop.opened, shop.asked]).toEqual([['-/clerk'], ['-/-: SELECT 1']]);
  });

  test('an adapter that may write is served for reading', async () => {
    const writable = fakeDatabase({ parts: { access: 'write' } });
    const { database } = await poolOf({ writable }).lease('writable', {});
    await expect(database.adapter.query('DELETE FROM users', { access: 'write' })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    });
    expect(writable.asked).toEqual([]);
  });
});

test('an opening that fails is not kept', async () => {
  let fails = true;
  const shop = fakeDatabase({
    before: () => {
      if (fails) throw new AskemaError('DATABASE_UNAVAILABLE', 'Nobody is there.');
    },
  });
  const pool = poolOf({ shop });
  const both = await Promise.allSettled([pool.lease('shop', {}), pool.lease('shop', {})]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(shop.opened).toHaveLength(1);
  fails = false;
  await expect(pool.lease('shop', {})).resolves.toBeDefined();
  expect(shop.opened).toHaveLength(2);
});

describe('what is closed', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('one that nobody uses for a while, and not one in use', async () => {
    const shop = fakeDatabase();
    const pool = poolOf({ shop }, { idleMs: 1000 });
    const [first, second] = [await pool.lease('shop', {}), await pool.lease('shop', {})];
    first.release();
    first.release();
    await vi.advanceTimersByTimeAsync(5000);
    expect(shop.closed).toEqual([]);
    second.release();
    await vi.advanceTimersByTimeAsync(900);
    const third = await pool.lease('shop', {});
    await vi.advanceTimersByTimeAsync(5000);
    expect(shop.closed).toEqual([]);
    third.release();
    await vi.advanceTimersByTimeAsync(1000);
    expect(shop.closed).toEqual(['-/-']);
    await pool.lease('shop', {});
    expect(shop.opened).toHaveLength(2);
  });

  test('the one that was used longest ago, when there are too many; none that is in use', async () => {
    const shop = fakeDatabase();
    const pool = poolOf({ shop }, { maxOpen: 2 });
    const [a, b] = [await pool.lease('shop', { tenant: 'a' }), await pool.lease('shop', { tenant: 'b' })];
    await expect(pool.lease('shop', { tenant: 'c' })).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      retryable: true,
    });
    b.release();
    a.release();
    (await pool.lease('shop', { tenant: 'b' })).release();
    await pool.lease('shop', { tenant: 'c' });
    await vi.advanceTimersByTimeAsync(0);
    expect(shop.closed).toEqual(['a/-']);
  });

  test('all, at the end; then nothing is opened any more', async () => {
    const shop = fakeDatabase();
    const pool = poolOf({ shop });
    await Promise.all([pool.lease('shop', {}), pool.lease('shop', { tenant: 'a' })]);
    await pool.close();
    expect(shop.closed.toSorted()).toEqual(['-/-', 'a/-']);
    await expect(pool.lease('shop', {})).rejects.toMatchObject({ code: 'SERVER_CLOSING' });
  });
});

test('a run of one tenant is not found by another', async () => {
  const journal = memoryJournal();
  const [north, south] = [journalOf(journal, 'north'), journalOf(journal, 'south')];
  const run = await north.open('ask-1');
  const entry = { schemaVersion: 1, at: 1, path: 'p' } as const;
  const begun = {
    ...entry,
    kind: 'run',
    runId: 'ask-1',
    flow: 'f',
    version: 1,
    graph: 'g',
    state: {},
    tags: {},
  } as const;
  await run.append([begun]);
  await run.close();
  expect(await north.read('ask-1')).toEqual([begun]);
  expect(await north.runIds()).toEqual(['ask-1']);
  expect(await south.read('ask-1')).toEqual([]);
  expect(await south.runIds()).toEqual([]);
  expect(await journal.read('ask-1')).toEqual([]);
});
