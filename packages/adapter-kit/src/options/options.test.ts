import { describe, expect, test } from 'vitest';
import { positionalParameters } from '../statements/positional-parameters.ts';
import { addressOptions } from './address-options.ts';
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
    allowFunctions: [],
    ...resolvePoolOptions({ poolSize: 8 }),
  });
  expect(resolveServerOptions({ ssl: true }, {}, 3306)).toMatchObject({ host: 'localhost', ssl: {} });
  for (const options of [
    { port: 0 },
    { host: '' },
    { password: 7 },
    { ssl: 'yes' },
    { lockTimeoutMs: 0.5 },
    { allowFunctions: ['area'] },
  ])
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

describe('what an address leaves out', () => {
  const request = (environment: Readonly<Record<string, string>>, askSecret?: (question: string) => Promise<string>) =>
    ({ access: 'read', environment, folder: '/', askSecret }) as const;
  const variables = { host: 'DBHOST', port: 'DBPORT', password: 'DBPASSWORD' };
  const passwordOf = ({ password }: ServerOptions) => (typeof password === 'function' ? password() : password);

  test('comes from the variables of its vendor; what it says wins', () => {
    const environment = { DBHOST: 'db', DBPORT: '7', USER: 'me' };
    expect(addressOptions({}, request(environment), variables)).toMatchObject({ host: 'db', port: 7, user: 'me' });
    const said = { host: 'other', port: 8, user: 'reader' };
    expect(addressOptions(said, request(environment), variables)).toMatchObject(said);
    expect(addressOptions({}, request({}), variables)).toMatchObject({ host: 'localhost', port: undefined });
  });

  test('a password within is refused, and not repeated', () => {
    const open = () => addressOptions({ password: 'hidden' }, request({}), variables);
    expect(open).toThrow(expect.objectContaining({ message: expect.stringContaining('DBPASSWORD') }));
    expect(open).toThrow(expect.not.objectContaining({ message: expect.stringContaining('hidden') }));
  });

  test('the password is that of the variable, of a file, or asked for once; else there is none', async () => {
    const asked: string[] = [];
    const ask = async (question: string): Promise<string> => {
      asked.push(question);
      return 'typed';
    };
    const inFile = async (): Promise<string | undefined> => 'filed';
    const given = addressOptions({}, request({ DBPASSWORD: '' }, ask), variables, inFile);
    expect(await passwordOf(given)).toBe('');
    expect(await passwordOf(addressOptions({}, request({}, ask), variables, inFile))).toBe('filed');
    expect(asked).toEqual([]);
    const typed = addressOptions({ user: 'me' }, request({}, ask), variables, async () => undefined);
    expect([await passwordOf(typed), await passwordOf(typed)]).toEqual(['typed', 'typed']);
    expect(asked).toEqual(['Password of me at localhost']);
    expect(await passwordOf(addressOptions({}, request({}), variables))).toBe('');
  });
});

test('parameters by position: as many as the statement has', () => {
  expect(positionalParameters(undefined, 'X', '?')).toEqual([]);
  expect(positionalParameters([1, 2], 'X', '?', 2)).toEqual([1, 2]);
  expect(() => positionalParameters([1], 'X', '?', 2)).toThrow('2 placeholders, and `parameters` has 1 values');
  expect(() => positionalParameters({ a: 1 }, 'X', '? for each', 1)).toThrow('write ? for each');
});
