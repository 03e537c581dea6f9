import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AddressRequest, isAskemaError } from '@askema/core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { loadDriver } from '../connection/driver.ts';
import { connectionFolder, readConnection } from '../login/connection-file.ts';
import { startWireStub, type WireStub } from '../wire-stub/wire-stub.ts';
import { openAddress, readAddress } from './open-address.ts';

// The driver takes its time to load, the first time.
beforeAll(async () => void (await loadDriver()), 30_000);

const CONNECTIONS = `
[dev]
account = "org-dev"
user = "ANNA"
password = "from the file"
warehouse = "WH"
database = "DB"
private_key_file = ""

["my team"]
account = "org-team"
authenticator = "externalbrowser"
`;

/** A home with these files, each its owner's alone. */
function homeWith(files: Readonly<Record<string, string>>): string {
  const home = mkdtempSync(join(tmpdir(), 'askema-snowflake-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    const file = join(home, name);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text, { mode: 0o600 });
  }
  return home;
}

test('connections are found where the tools of the vendor keep them', () => {
  const home = homeWith({ '.snowflake/connections.toml': CONNECTIONS });
  expect(readConnection('dev', { HOME: home })).toEqual({
    account: 'org-dev',
    user: 'ANNA',
    password: 'from the file',
    warehouse: 'WH',
    database: 'DB',
  });
  const override = { HOME: home, SNOWFLAKE_CONNECTIONS_DEV_PASSWORD: 'from the environment' };
  expect(readConnection('dev', override)).toMatchObject({ password: 'from the environment' });
  const elsewhere = homeWith({ 'config.toml': '[connections.dev]\naccount = "other"\nport = 443\nhost = "h"\n' });
  expect(readConnection('dev', { HOME: home, SNOWFLAKE_HOME: elsewhere })).toEqual({
    account: 'other',
    host: 'h',
    port: 443,
  });
  const bare = homeWith({});
  expect(connectionFolder({ HOME: bare, XDG_CONFIG_HOME: '/x' })).toMatch(/snowflake$/);
});

test('a connection that cannot be had says why, without what stands in the file', () => {
  const home = homeWith({ '.snowflake/connections.toml': CONNECTIONS });
  expect(() => readConnection('dve', { HOME: home })).toThrow(/no connection "dve"\. Did you mean `dev`/);
  expect(() => readConnection('__proto__', { HOME: home })).toThrow(/no connection/);
  expect(() => readConnection('dev', { HOME: homeWith({}) })).toThrow(/There is no connections.toml/);
  const broken = homeWith({ '.snowflake/connections.toml': '[dev]\npassword = "geheim\n' });
  expect(() => readConnection('dev', { HOME: broken })).toThrow(/cannot be read as TOML \(line 2/);
  expect(() => readConnection('dev', { HOME: broken })).not.toThrow(/geheim/);
  chmodSync(join(home, '.snowflake/connections.toml'), 0o644);
  expect(() => readConnection('dev', { HOME: home })).toThrow(/can be opened by other users \(mode 0644\).*chmod 0600/);
  const skip = { HOME: home, SF_SKIP_WARNING_FOR_READ_PERMISSIONS_ON_CONFIG_FILE: 'true' };
  expect(readConnection('dev', skip).account).toBe('org-dev');
  chmodSync(join(home, '.snowflake/connections.toml'), 0o666);
  expect(() => readConnection('dev', skip)).toThrow(/mode 0666/);
});

test.each([
  [
    'snowflake://org-acc/DB/My%20Schema?warehouse=WH&role=R',
    { account: 'org-acc', database: 'DB', schema: 'My Schema', warehouse: 'WH', role: 'R' },
  ],
  ['snowflake://ANNA@acc.eu-central-1/DB', { account: 'acc.eu-central-1', user: 'ANNA', database: 'DB' }],
  ['snowflake:///?connection=dev', { connection: 'dev' }],
  ['snowflake:?connection=dev', { connection: 'dev' }],
  [
    'snowflake://acc?host=localhost&port=1&protocol=http',
    { account: 'acc', host: 'localhost', port: 1, protocol: 'http' },
  ],
])('%s is read', (address, options) => {
  expect(readAddress(address)).toEqual(options);
});

test.each([
  'shop?connection=dev&host=127.0.0.2&port=57998',
  'a@b:c',
  '../x',
  '%2e%2e',
  '%2F',
  'x#y',
  'a,b',
  'Größe 50%',
])('the encoded name %j is a database and nothing else, decoded once', (id) => {
  const address = `snowflake://ANNA@acc/${encodeURIComponent(id)}?role=R`;
  expect(readAddress(address)).toEqual({ account: 'acc', user: 'ANNA', database: id, role: 'R' });
});

test.each([
  ['snowflake://u:geheim@acc/DB', /has a password in it, where shells and logs keep it/],
  ['snowflake://acc/DB?password=geheim', /has `password` in it/],
  ['snowflake://acc/DB?token=geheim', /has `token` in it/],
  ['snowflake://acc/DB?privateKeyPath=geheim', /has `privateKeyPath` in it/],
  ['snowflake://acc/a/b/c', /more parts/],
  ['snowflake://acc/DB?warehous=x', /Did you mean `warehouse`/],
  ['snowflake://acc:1/DB', /no port/],
  ['snowflake://%ZZ/x', /./],
  ['postgres://acc', /cannot be read/],
])('%s is refused, and what may be a secret is not repeated', async (address, message) => {
  const request: AddressRequest = { access: 'read', environment: {}, folder: '/' };
  const error = await openAddress(address, request).catch((thrown: unknown) => thrown);
  if (!isAskemaError(error)) throw error;
  expect(error.code).toBe('CONFIG_INVALID');
  expect(error.message).toMatch(message);
  expect(JSON.stringify(error)).not.toContain('geheim');
});

/** What the stub sees of a login. */
async function loginBy(address: string, request: Partial<AddressRequest>): Promise<Readonly<Record<string, unknown>>> {
  const stub: WireStub = await startWireStub();
  const at = new URL(stub.url);
  const whole = `${address}${address.includes('?') ? '&' : '?'}host=${at.hostname}&port=${at.port}&protocol=http`;
  const spec = await openAddress(whole, { access: 'read', environment: {}, folder: '/', ...request });
  onTestFinished(async () => {
    await spec.close();
    await stub.kill();
  });
  await spec
    .diagnose?.({ timeoutMs: 5_000, context: { runId: 'r', path: 'p', idempotencyKey: 'k', tags: {} } })
    .catch(() => undefined);
  const [login] = stub.seen('login-request');
  return { ...login?.query, ...login?.body?.data };
}

test('secrets come from the environment, the connection, or a person', async () => {
  const environment = { SNOWFLAKE_USER: 'BERT', SNOWFLAKE_PASSWORD: 'one', SNOWFLAKE_WAREHOUSE: 'W2' };
  expect(await loginBy('snowflake://acc/DB?role=R', { environment })).toMatchObject({
    LOGIN_NAME: 'BERT',
    PASSWORD: 'one',
    warehouse: 'W2',
    databaseName: 'DB',
    roleName: 'R',
  });
  const token = { SNOWFLAKE_TOKEN: 'pat-1', SNOWFLAKE_USER: 'BERT' };
  expect(await loginBy('snowflake://acc', { environment: token })).toMatchObject({
    TOKEN: 'pat-1',
    AUTHENTICATOR: 'PROGRAMMATIC_ACCESS_TOKEN',
  });
  const home = homeWith({ '.snowflake/connections.toml': CONNECTIONS });
  const named = { HOME: home, SNOWFLAKE_PASSWORD: 'one' };
  expect(await loginBy('snowflake:?connection=dev&warehouse=W9', { environment: named })).toMatchObject({
    LOGIN_NAME: 'ANNA',
    PASSWORD: 'from the file',
    warehouse: 'W9',
  });
  const questions: string[] = [];
  const askSecret = async (question: string): Promise<string> => {
    questions.push(question);
    return 'typed';
  };
  expect(await loginBy('snowflake://ANNA@acc', { askSecret })).toMatchObject({ PASSWORD: 'typed' });
  expect(questions).toEqual(['Password of ANNA at the Snowflake account acc']);
});

test('without anybody to ask, the error says where a secret may stand', async () => {
  const request: AddressRequest = { access: 'read', environment: {}, folder: '/' };
  await expect(openAddress('snowflake://ANNA@acc', request)).rejects.toThrow(/SNOWFLAKE_PASSWORD, SNOWFLAKE_TOKEN or/);
  await expect(openAddress('snowflake://acc', request)).rejects.toThrow(/SNOWFLAKE_USER/);
});
