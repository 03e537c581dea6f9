import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChatProject, chatProject } from '../../testing/chat-project.ts';
import { groupEnds } from '../../testing/process-group.ts';
import { startAskema } from '../../testing/run-askema.ts';

const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';

let project: ChatProject;
beforeAll(() => {
  project = chatProject({
    write: { 'How many customers are there?': 'SELECT count(*) AS customers FROM customer', 'For ever?': ENDLESS },
  });
});
afterAll(() => project.remove());

/** A chat whose endless question runs. */
async function untilItRuns(lines: readonly string[]) {
  const stdin = ['How many customers are there?', 'For ever?', ...lines].map((line) => `${line}\n`).join('');
  const run = startAskema(['chat', 'shop.sqlite', '--no-history'], { cwd: project.folder, stdin });
  await new Promise<void>((resolve) => run.child.stdout?.once('data', () => resolve()));
  await delay(500);
  return run;
}

describe('a signal to a chat in a pipe', () => {
  it.each([
    ['to the process', (pid: number) => pid],
    ['to its group, as a terminal sends it', (pid: number) => -pid],
  ])('SIGINT %s stops the question; the next line is answered', async (_, target) => {
    const run = await untilItRuns(['How many customers are there?']);
    process.kill(target(run.pid), 'SIGINT');
    const { code, stdout, stderr } = await run.finished;
    expect(stderr).toContain('Stopped.');
    expect(stdout.match(/customers\n/g)).toHaveLength(2);
    expect(code).toBe(0);
    expect(await groupEnds(run.pid)).toBe(true);
  });

  it('SIGTERM ends it, whatever stands in the pipe', async () => {
    const run = await untilItRuns(['How many customers are there?']);
    process.kill(run.pid, 'SIGTERM');
    const { code, stdout } = await run.finished;
    expect(code).toBe(143);
    expect(stdout.match(/customers\n/g)).toHaveLength(1);
    expect(await groupEnds(run.pid)).toBe(true);
  });

  it('a question has the time of --timeout, each anew', async () => {
    const stdin = 'For ever?\nHow many customers are there?\nFor ever?\nHow many customers are there?\n';
    const flags = ['chat', 'shop.sqlite', '--no-history', '--timeout', '1500ms'];
    const { code, stdout, stderr } = await startAskema(flags, { cwd: project.folder, stdin }).finished;
    expect(code).toBe(0);
    expect(stderr.match(/1\.5 s together.*\[QUERY_TIMEOUT/g)).toHaveLength(2);
    expect(stdout.match(/customers\n/g)).toHaveLength(2);
  });
});
