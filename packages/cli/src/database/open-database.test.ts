import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AdapterSpec } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { openDatabase } from './open-database.ts';

describe('openDatabase', () => {
  it('opens a path from its folder, for reading unless told otherwise', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'askema-open-'));
    writeFileSync(join(folder, 'shop.sqlite'), `SQLite format 3\0${'x'.repeat(100)}`, 'latin1');
    for (const access of [undefined, 'write'] as const) {
      const adapter = await openDatabase('shop.sqlite', { folder, access });
      expect(adapter.access).toBe(access ?? 'read');
      await adapter.close();
    }
    rmSync(folder, { recursive: true });
  });

  it('opens an address of a server without connecting, and of a scheme that is given', async () => {
    const adapter = await openDatabase('mariadb://reader@db.invalid/shop', { environment: {} });
    expect([adapter.name, adapter.dialect.name]).toEqual(['db.invalid/shop', 'mariadb']);
    await adapter.close();
    const schemes = {
      trino: async (address: string): Promise<AdapterSpec> => ({
        contract: 1,
        name: address,
        dialect: adapter.dialect,
        access: 'read',
        executor: adapter.executor,
        introspector: adapter.introspector,
        close: async () => undefined,
      }),
    };
    expect((await openDatabase('trino://host/catalog', { schemes })).name).toBe('trino://host/catalog');
    await expect(openDatabase('trino://host/catalog')).rejects.toMatchObject({ code: 'CAPABILITY_UNSUPPORTED' });
  });

  it('refuses a password within an address', async () => {
    await expect(openDatabase('mysql://reader:word@db.invalid/shop')).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.not.stringContaining('word@'),
    });
  });
});
