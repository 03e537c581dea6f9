import { expect, test } from 'vitest';
import { loadPeer } from './lazy-client.ts';

const names = { peer: 'no-such-sdk', range: '^7', neededBy: '@askema/example' };
const missing = (name: string) =>
  Object.assign(new Error(`Cannot find package '${name}' imported from /somewhere/load-sdk.js`), {
    code: 'ERR_MODULE_NOT_FOUND',
  });

test('passes the module on', async () => {
  expect(await loadPeer(async () => ({ a: 1 }), names)).toEqual({ a: 1 });
});

test('a package that is not there becomes DEPENDENCY_MISSING with the command that installs it', async () => {
  await expect(loadPeer(() => Promise.reject(missing('no-such-sdk')), names)).rejects.toMatchObject({
    code: 'DEPENDENCY_MISSING',
    message: expect.stringContaining('npm install "no-such-sdk@^7"'),
  });
});

test('a broken package is not called missing', async () => {
  await expect(loadPeer(() => Promise.reject(missing('its-own-dependency')), names)).rejects.toThrow(
    /its-own-dependency/,
  );
  await expect(loadPeer(() => Promise.reject(new SyntaxError('bad')), names)).rejects.toThrow(SyntaxError);
});

test('Node names the package the way this relies on', async () => {
  const specifier = 'askema-no-such-package';
  await expect(loadPeer(() => import(specifier), { ...names, peer: specifier })).rejects.toMatchObject({
    code: 'DEPENDENCY_MISSING',
  });
});
