import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Looks the SDK up from a folder where nothing is installed, so that Node fails as it does for a user without it. */
const WITHOUT_SDK = `
import { registerHooks } from 'node:module';
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier === '@anthropic-ai/sdk' ? { ...context, parentURL: 'file:///nowhere/at/all.js' } : context),
});
const { anthropic } = await import('${import.meta.resolve('./index.ts')}');
const model = anthropic({ model: 'claude-opus-5-5', apiKey: 'k' });
const error = await model.generate({ messages: [], sample: 0, context: {} }).catch((thrown) => thrown);
console.log(JSON.stringify(error));
`;

test('without the SDK the first call says how to install it', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--conditions=@askema/source',
    '--no-warnings',
    '--input-type=module',
    '--eval',
    WITHOUT_SDK,
  ]);
  expect(JSON.parse(stdout)).toMatchObject({
    code: 'DEPENDENCY_MISSING',
    message: expect.stringContaining('npm install "@anthropic-ai/sdk@^1"'),
  });
});
