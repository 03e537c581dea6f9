import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { AskemaError } from '../../errors/askema-error.ts';
import { DriverProcess } from './driver-process.ts';
import type { DriverTalk } from './messages.ts';

// Each starts a process of its own; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

interface Talk extends DriverTalk {
  readonly settings: { readonly opens: 'ready' | 'dependency' | 'protocol' | 'locked' | 'dies' };
  readonly request: 'environment' | 'wait' | 'block' | 'overflow' | 'crash';
  readonly ready: { readonly version: number };
  readonly unopenable: { readonly type: 'locked'; readonly by: string };
}

/** `wait` ends at its second word; `block` blocks the thread for ever, as a native driver does. */
const PROGRAM = `
const words = new Map();
const answer = (id, part) => process.send({ type: 'answer', id, parts: [part] });
const open = {
  ready: () => process.send({ type: 'ready', protocol: 7, version: 3 }),
  dependency: () => process.send({ type: 'unusable', reason: 'dependency', message: 'Cannot find it\\nRequire stack' }),
  protocol: () => process.send({ type: 'unusable', reason: 'protocol', message: 'it speaks protocol 1' }),
  locked: () => process.send({ type: 'locked', by: 'another' }),
  dies: () => { console.error('out of luck'); process.exit(4); },
};
const run = {
  environment: (id) => { answer(id, { type: 'value', value: process.env }); answer(id, { type: 'end' }); },
  wait: (id) => words.set(id, []),
  block: (id) => { answer(id, { type: 'value', value: 'blocked' }); setTimeout(() => { for (;;); }, 20); },
  overflow: () => { process.stderr.write('too much memory\\n'); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 20); },
  crash: () => process.kill(process.pid, 'SIGSEGV'),
};
process.on('message', (message) => {
  if (message.type === 'open') open[message.settings.opens]();
  else if (message.type === 'request') run[message.request](message.id);
  else {
    const said = words.get(message.id);
    if (said.push(message.type) < 2) return;
    answer(message.id, { type: 'value', value: said });
    answer(message.id, { type: 'end' });
  }
});
process.on('disconnect', () => process.exit(0));
`;

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'askema-driver-process-'));
  file = join(folder, 'program.mjs');
  writeFileSync(file, PROGRAM);
});
afterAll(() => rmSync(folder, { recursive: true }));

function start(opens: Talk['settings']['opens'] = 'ready'): DriverProcess<Talk> {
  return new DriverProcess<Talk>({
    file,
    protocol: 7,
    settings: { opens },
    names: {
      process: 'A process of the adapter',
      driver: 'driver quick-db',
      install: 'npm install quick-db',
      packageName: 'adapter-quick-db',
    },
    memoryMark: 'too much memory',
    passOn: ['QUICK_HOME'],
    environment: { TZ: 'UTC' },
    explainOpening: ({ by }) => new AskemaError('DATABASE_UNAVAILABLE', `It is locked by ${by}.`),
  });
}

/** The values of an answer, at its end. */
async function ask(
  driver: DriverProcess<Talk>,
  request: Talk['request'],
  ...said: readonly ('more' | 'stop' | 'commit')[]
) {
  return new Promise<unknown[]>((resolve) => {
    const values: unknown[] = [];
    const say = driver.request(request, {
      answer(part) {
        if (part.type === 'value') values.push(part.value);
        if (part.type === 'end') resolve(values);
      },
      exited: ({ reason }) => resolve([reason]),
    });
    for (const word of said) say(word);
  });
}

async function ending(driver: DriverProcess<Talk>, request: Talk['request']): Promise<unknown> {
  await driver.ready;
  const exited = new Promise<unknown>((resolve) =>
    driver.request(request, { answer: () => undefined, exited: resolve }),
  );
  expect(await exited).toEqual(await driver.exited);
  return exited;
}

test('several requests at a time are told apart, and end in peace', async () => {
  const driver = start();
  expect([driver.opened, driver.isUsable]).toEqual([undefined, true]);
  await driver.ready;
  expect(driver.opened).toMatchObject({ version: 3 });
  const answers = [ask(driver, 'wait', 'more', 'commit'), ask(driver, 'wait', 'more', 'stop')];
  expect(await Promise.all(answers)).toEqual([[['more', 'commit']], [['more', 'stop']]]);
  driver.dismiss();
  expect(driver.isUsable).toBe(false);
  expect(await driver.exited).toEqual({ reason: 'unexpected', isCrashOfOne: false, description: 'exit code 0' });
});

test('who makes a request hears of the end of the process, unless the answer has ended before', async () => {
  const driver = start();
  await driver.ready;
  let afterItsEnd = false;
  await new Promise<void>((resolve) => {
    const answer = (part: { readonly type: string }): void => {
      if (part.type === 'end') resolve();
    };
    const say = driver.request('wait', {
      answer,
      exited: () => {
        afterItsEnd = true;
      },
    });
    say('more');
    say('more');
  });
  const open = ask(driver, 'wait');
  driver.kill();
  expect(await open).toEqual(['killed']);
  expect(await ask(driver, 'wait')).toEqual(['killed']);
  expect(afterItsEnd).toBe(false);
});

test('a retired process takes no more, and ends what it has', async () => {
  const driver = start();
  await driver.ready;
  const last = ask(driver, 'wait', 'more', 'more');
  driver.retire();
  expect([driver.isUsable, driver.isRetired]).toEqual([false, true]);
  expect(await last).toEqual([['more', 'more']]);
  driver.kill();
  expect((await driver.exited).reason).toBe('killed');
});

test('none of the caller’s secrets are in its environment', async () => {
  vi.stubEnv('SOME_API_KEY', 'secret');
  vi.stubEnv('QUICK_HOME', '/quick');
  vi.stubEnv('TZ', 'Asia/Kolkata');
  const driver = start();
  vi.unstubAllEnvs();
  const [environment] = await ask(driver, 'environment');
  driver.kill();
  expect(environment).toMatchObject({ QUICK_HOME: '/quick', TZ: 'UTC', PATH: process.env.PATH });
  expect(environment).not.toHaveProperty('SOME_API_KEY');
});

test('a program that blocks its thread is killed', async () => {
  const driver = start();
  await new Promise((blocked) => driver.request('block', { answer: blocked, exited: () => undefined }));
  driver.kill();
  expect(driver.isUsable).toBe(false);
  expect(await driver.exited).toEqual({ reason: 'killed', isCrashOfOne: false, description: 'signal SIGKILL' });
});

test('the end says why: want of memory, or a crash', async () => {
  expect(await ending(start(), 'overflow')).toMatchObject({ reason: 'memory' });
  expect(await ending(start(), 'crash')).toEqual({
    reason: 'unexpected',
    isCrashOfOne: true,
    description: 'signal SIGSEGV',
  });
});

test.each([
  [
    'dependency',
    'DEPENDENCY_MISSING',
    /driver quick-db could not be loaded: Cannot find it\. .*`npm install quick-db`/,
  ],
  ['protocol', 'CONFIG_INVALID', /this version of adapter-quick-db: it speaks protocol 1/],
  ['locked', 'DATABASE_UNAVAILABLE', /It is locked by another/],
  ['dies', 'DATABASE_UNAVAILABLE', /A process of the adapter ended before it was ready \(exit code 4: out of luck\)/],
] as const)('one that cannot start, %s, is an error, and gone', async (opens, code, message) => {
  const driver = start(opens);
  await expect(driver.ready).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  await driver.exited;
  expect(driver.isUsable).toBe(false);
});
