import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groupEnds } from '../../testing/process-group.ts';
import { type RunningAskema, runAskema, startAskema } from '../../testing/run-askema.ts';
import { SHOP_SQL, scriptedConfig, type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';

/** Says on stderr when its model answers, with a statement that never ends. */
const ENDLESS_CONFIG = `
  import { scriptedModel } from '@askema/testkit';
  const json = { outcome: 'sql', sql: '${ENDLESS}', explanation: '', not_understood: [] };
  export default {
    models: { endless: () => scriptedModel(() => (console.error('model answers'), { json })) },
    defaults: { model: 'endless' },
  };
`;

let project: TemporaryProject;
let server: Server;
let asked: () => void;
let url: string;
beforeAll(async () => {
  project = temporaryProject();
  project.database('shop.sqlite', SHOP_SQL);
  project.write('endless/askema.config.ts', ENDLESS_CONFIG);
  // Takes a request and never answers.
  server = createServer(() => asked()).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  project.remove();
});

/** Waits until the model has answered, so that its endless query is under way. */
async function untilQueryRuns(run: RunningAskema): Promise<void> {
  await new Promise<void>((resolve) => {
    run.child.stderr?.on('data', (chunk) => {
      if (String(chunk).includes('model answers')) resolve();
    });
  });
  await delay(300);
}

describe('--timeout', () => {
  it('ends an endless query with a clear error, and leaves no process behind', async () => {
    const run = startAskema(['ask', '../shop.sqlite', 'How many?', '--timeout', '500ms'], {
      cwd: project.path('endless'),
    });
    const { code, stdout, stderr, elapsedMs } = await run.finished;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/500 ms.*\[QUERY_TIMEOUT/s);
    expect(stderr).toContain('1 model call ·');
    expect(elapsedMs).toBeLessThan(6_000);
    expect(await groupEnds(run.pid)).toBe(true);
  });
});

describe('Ctrl-C', () => {
  // A terminal sends the signal to the whole group of processes; `kill` sends it to one.
  it.each([
    ['to the process', (pid: number) => pid],
    ['to its group, as a terminal does', (pid: number) => -pid],
  ])('%s stops an endless query at once', async (_, target) => {
    const run = startAskema(['ask', '../shop.sqlite', 'How many?'], { cwd: project.path('endless') });
    await untilQueryRuns(run);
    const sentAt = performance.now();
    process.kill(target(run.pid), 'SIGINT');
    const { code, stdout, stderr } = await run.finished;
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr).toContain('Stopped.');
    expect(performance.now() - sentAt).toBeLessThan(4_000);
    expect(await groupEnds(run.pid)).toBe(true);
  });

  it('stops a model call that hangs', async () => {
    const called = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const flags = ['ask', 'shop.sqlite', 'How many?', '--model', 'openai:slow'];
    const run = startAskema(flags, { cwd: project.folder, env: { OPENAI_BASE_URL: url } });
    await called;
    const sentAt = performance.now();
    process.kill(run.pid, 'SIGINT');
    const { code, stdout, stderr } = await run.finished;
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr).toContain('Stopped.');
    expect(performance.now() - sentAt).toBeLessThan(4_000);
    expect(await groupEnds(run.pid)).toBe(true);
  });

  it('by SIGTERM ends with 143', async () => {
    const run = startAskema(['ask', '../shop.sqlite', 'How many?'], { cwd: project.path('endless') });
    await untilQueryRuns(run);
    process.kill(run.pid, 'SIGTERM');
    expect((await run.finished).code).toBe(143);
    expect(await groupEnds(run.pid)).toBe(true);
  });

  it('twice ends the process at once, whatever hangs', async () => {
    project.write(
      'hanging/askema.config.mjs',
      "console.error('loading'); setInterval(() => {}, 1000); await new Promise(() => {});",
    );
    const run = startAskema(['ask', 'x', 'y'], { cwd: project.path('hanging') });
    await new Promise((resolve) => run.child.stderr?.once('data', resolve));
    const sentAt = performance.now();
    process.kill(run.pid, 'SIGINT');
    await delay(200);
    process.kill(run.pid, 'SIGINT');
    expect((await run.finished).code).toBe(130);
    expect(performance.now() - sentAt).toBeLessThan(4_000);
  });
});

describe('a model that never answers', () => {
  it('and leaves nothing to wait for is an error', async () => {
    project.write(
      'never/askema.config.mjs',
      `
      import { scriptedModel } from '@askema/testkit';
      export default { models: { never: () => scriptedModel(() => new Promise(() => {})) }, defaults: { model: 'never' } };
    `,
    );
    const { code, stderr } = await runAskema(['ask', '../shop.sqlite', 'How many?'], { cwd: project.path('never') });
    expect(code).toBe(1);
    expect(stderr).toMatch(/never answers, and nothing is left to wait for/);
  });
});

describe('an error that nobody awaits', () => {
  it('is told without a stack trace', async () => {
    const text = "await new Promise(() => setTimeout(() => { throw new Error('boom\\u001b[2J'); }, 10));";
    project.write('boom/askema.config.mjs', text);
    const run = (env: Record<string, string>) => runAskema(['models'], { cwd: project.path('boom'), env });
    const { code, stdout, stderr } = await run({});
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      'error: An unexpected error: boom\\u{1b}[2J. ASKEMA_DEBUG=1 shows where it happened. [INTERNAL]\n',
    );
    expect((await run({ ASKEMA_DEBUG: '1' })).stderr).toMatch(/\n\s+at /);
  });
});

describe('a killed process', () => {
  it('leaves no query behind', async () => {
    const run = startAskema(['ask', '../shop.sqlite', 'How many?'], { cwd: project.path('endless') });
    await untilQueryRuns(run);
    process.kill(run.pid, 'SIGKILL');
    await run.finished;
    expect(await groupEnds(run.pid)).toBe(true);
  });
});

describe('a reader that leaves early', () => {
  it('is no error', async () => {
    const many = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT i FROM n';
    project.write('many/askema.config.ts', scriptedConfig([many]));
    const run = startAskema(['ask', '../shop.sqlite', 'All numbers', '--format', 'csv', '--max-rows', '300000'], {
      cwd: project.path('many'),
    });
    run.child.stdout?.once('data', () => run.child.stdout?.destroy());
    const { code, stderr } = await run.finished;
    expect(code).toBe(0);
    expect(stderr).not.toMatch(/EPIPE|error:/);
  });
});

it('answers with the built-in solver when there is no model, and says so in one line', async () => {
  const { code, stdout, stderr } = await runAskema(
    ['ask', 'shop.sqlite', 'How many customers are there?', '--format', 'csv'],
    {
      cwd: project.folder,
    },
  );
  expect(code).toBe(0);
  expect(stdout.split('\r\n')[1]).toBe('5');
  expect(stderr).toMatch(/No language model was found.*`askema models`/);
});
