import { expect, test } from 'vitest';
import { resolvePoolOptions } from './pool-options.ts';
import { readServerAddress, resolveServerOptions, type ServerOptions } from './server-address.ts';

const read = (address: string) =>
  readServerAddress<ServerOptions>(address, {
    schemes: ['maria://', 'mariadb://'],
    example: 'mariadb://reader@db/shop',
    parameters: { ssl: (value) => ({ ssl: value === 'true' }), socket: (host) => ({ host }) },
  });

test('an address, with all of its parts and with none', () => {
  expect(read('MARIADB://re%40der:p%3Ass@[::1]:3307/my%20shop?ssl=true')).toEqual({
    host: '::1',
    port: 3307,
    database: 'my shop',
    user: 're@der',
    password: 'p:ss',
    ssl: true,
  });
  expect(read('maria://db/shop?socket=/run/maria').host).toBe('/run/maria');
  expect(Object.values(read('maria://')).filter((part) => part !== undefined)).toEqual([]);
});

test.each([
  'mysql://db/shop',
  'maria:shop',
  'maria://reader:se%cret@db:port/shop',
  'maria://%zz@db/secret',
  'maria://db/secret?toString=1',
  7,
])('an address that cannot be read is not repeated: %s', (address) => {
  const attempt = () => read(address as string);
  expect(attempt).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  expect(attempt).toThrow(expect.not.objectContaining({ message: expect.stringContaining('secret') }));
});

test('where a server is: options win over the address, and the name has no secret', () => {
  expect(resolveServerOptions({ host: 'other' }, { host: 'db', user: 'reader', password: 'p' }, 3306)).toEqual({
    name: 'other/reader',
    host: 'other',
    port: 3306,
    database: undefined,
    user: 'reader',
    password: 'p',
    ssl: false,
    connectTimeoutMs: 10_000,
    lockTimeoutMs: 5_000,
    ...resolvePoolOptions({}),
  });
  expect(resolveServerOptions({ ssl: true }, {}, 3306)).toMatchObject({ host: 'localhost', ssl: {} });
  for (const options of [{ port: 0 }, { host: '' }, { password: 7 }, { ssl: 'yes' }, { lockTimeoutMs: 0.5 }])
    expect(() => resolveServerOptions(options as never, {}, 3306)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID' }),
    );
});

test('what adapters have in common has its defaults and bounds', () => {
  expect(resolvePoolOptions({})).toEqual({
    access: 'read',
    poolSize: 4,
    idleTimeoutMs: 10_000,
    introspectTimeoutMs: 60_000,
    rowCountTimeoutMs: 2_000,
  });
  for (const options of [{ poolSize: 0 }, { introspectTimeoutMs: 0 }, { access: 'all' }, { idleTimeoutMs: -1 }])
    expect(() => resolvePoolOptions(options as never)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
});
