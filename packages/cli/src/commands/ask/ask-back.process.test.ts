import { describe, expect, it } from 'vitest';
import { runAskema } from '../../testing/run-askema.ts';
import { runInProcess } from '../../testing/run-in-process.ts';

const STORE = new URL('../../../../../examples/store.sqlite', import.meta.url).pathname;
const ASK = ['ask', STORE, 'How many distinct cities are there?'];

describe('askema ask, where a question can be read in two ways', () => {
  it('shows the choices on a terminal, and answers the one that is chosen', async () => {
    const chosen = await runInProcess(ASK, { columns: 80, stdin: '2\n' });
    expect(chosen.stderr).toMatch(/which one is meant\?\n.*1.*city in \w+.*\n.*2.*city in \w+.*\n/i);
    expect(chosen.stderr).toContain('The number, or your own words:');
    expect(chosen.code).toBe(0);
    const other = await runInProcess(ASK, { columns: 80, stdin: '1\n' });
    expect(other.code).toBe(0);
    expect(other.stdout).not.toBe(chosen.stdout);
  });

  it('asks again where the answer is no choice, and leaves it where nothing is typed', async () => {
    const again = await runInProcess(ASK, { columns: 80, stdin: '7\n1\n' });
    expect(again.stderr).toMatch(/`7` is none of the choices.*the choices are 1, 2/);
    expect(again.code).toBe(0);
    const left = await runInProcess(ASK, { columns: 80, stdin: '\n' });
    expect(left.code).toBe(1);
  });

  it('in a pipe, prints the choices and how to answer, and exits 1', async () => {
    const { code, stdout, stderr } = await runAskema(ASK, { stdin: '1\n' });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/which one is meant\?\n {2}1 {2}.*city in \w+.*\n {2}2 {2}.*city in \w+/i);
    expect(stderr).toContain('Answer on a terminal');
  });
});
