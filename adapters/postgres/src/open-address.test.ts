import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openAddress, readPasswordFile } from './open-address.ts';
import { readAddress } from './read-address.ts';

const folder = mkdtempSync(join(tmpdir(), 'askema-postgres-address-'));
afterAll(() => rmSync(folder, { recursive: true }));

const request = (environment: Readonly<Record<string, string>> = {}) =>
  ({ access: 'read', environment: { HOME: folder, ...environment }, folder }) as const;

describe('addresses', () => {
  it('say where the database is; what they leave out comes from the variables of libpq', async () => {
    const open = async (address: string, environment?: Readonly<Record<string, string>>) =>
      (await openAddress(address, request(environment))).name;
    expect(await open('postgres://me@db.example:5433/shop')).toBe('db.example/shop');
    expect(await open('postgresql:///shop', { PGHOST: '/run/postgresql' })).toBe('/run/postgresql/shop');
    expect(await open('postgres:shop', { PGHOST: 'elsewhere', PGPORT: '5433' })).toBe('elsewhere/shop');
    expect(await open('postgres:', { PGUSER: 'me' })).toBe('localhost/me');
    expect(await open('postgres:', { PGDATABASE: 'theirs', PGUSER: 'me' })).toBe('localhost/theirs');
  });

  it.each([
    'postgres:me:hidden@h/d',
    'postgres:/me:hidden@h/d',
    'postgresql:me:hidden@h',
    'postgres:shop?password=hidden',
  ])('take no user and no password behind the short form, and repeat none: %s', async (address) => {
    const error = await openAddress(address, request()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('two slashes') });
    expect(JSON.stringify(error)).not.toContain('hidden');
  });

  it('refuse a password behind an encoded colon, and do not repeat it', async () => {
    const error = await openAddress('postgres://me%3Ahidden@db.example/shop', request()).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('a password may stand') });
    expect(JSON.stringify(error)).not.toContain('hidden');
  });

  it.each(['postgres://me:hidden@db.example/shop', 'postgres://db.example/shop?password=hidden'])(
    'refuse a password within, and do not repeat it: %s',
    async (address) => {
      const error = await openAddress(address, request()).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('PGPASSWORD') });
      expect(JSON.stringify(error)).not.toContain('hidden');
    },
  );

  it.each(['shop?host=127.0.0.2&port=57998', 'a@b:c', '../x', '%2e%2e', '%2F', 'x#y', 'a,b', 'Größe 50%'])(
    'take the encoded name %j for a database and nothing else, decoded once',
    (id) => {
      const address = `postgres://me@db.example:5433/${encodeURIComponent(id)}?sslmode=require`;
      const { ssl, ...parts } = readAddress(address);
      expect(ssl).toEqual({ rejectUnauthorized: false });
      expect(parts).toEqual({ host: 'db.example', port: 5433, user: 'me', database: id, password: undefined });
    },
  );

  it('refuse a NUL, which would end the name on the wire', async () => {
    await expect(openAddress('postgres://me@db.example/shop%00options', request())).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('NUL'),
    });
  });

  it.each(['mysql:x', 'postgres://x/y?sslmode=perhaps'])(
    'that cannot be read are CONFIG_INVALID: %s',
    async (address) => {
      await expect(openAddress(address, request())).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    },
  );

  it('a port of the environment that is none is said', async () => {
    await expect(openAddress('postgres:x', request({ PGPORT: 'many' }))).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('`port`'),
    });
  });
});

describe('the password file', () => {
  const file = join(folder, '.pgpass');
  const read = (parts: { host?: string; port?: number; database?: string; user?: string }) =>
    readPasswordFile({ host: 'db', port: 5432, database: 'shop', user: 'me', ...parts }, { HOME: folder });

  it('is none', async () => {
    expect(await read({})).toBeUndefined();
  });

  it('has the first line that fits, with escapes', async () => {
    const lines = [
      '# db:5432:shop:me:comment',
      'db:5433:shop:me:other port',
      String.raw`db:5432:shop:me:a\:b\\c`,
      '*:*:*:*:any',
    ];
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
    expect(await read({})).toBe('a:b\\c');
    expect(await read({ port: 5433 })).toBe('other port');
    expect(await read({ host: 'elsewhere' })).toBe('any');
    expect(await readPasswordFile({ host: 'x', port: 1 }, { PGPASSFILE: join(folder, 'nothing') })).toBeUndefined();
  });

  it('that others may read is refused', async () => {
    const open = join(folder, 'open');
    writeFileSync(open, '*:*:*:*:any', { mode: 0o644 });
    await expect(readPasswordFile({ host: 'x' }, { PGPASSFILE: open })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    });
  });
});
