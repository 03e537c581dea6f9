import { describe, expect, it } from 'vitest';
import { FLOWS } from './flow/flow-list.ts';
import { runCli } from './run-cli.ts';
import { type MemoryHostOptions, memoryHost } from './testing/memory-host.ts';

async function run(parameters: readonly string[], options: MemoryHostOptions = {}) {
  const host = memoryHost({ env: { OLLAMA_HOST: '127.0.0.1:1' }, ...options });
  const code = await runCli(parameters, host);
  return { code, ...host.written };
}

describe('help', () => {
  it.each([
    ['--help'],
    ['ask', '--help'],
    ['schema', '--help'],
    ['models', '--help'],
    ['eval', '--help'],
    ['eval', 'run', '--help'],
  ])('of %s %s %s stands on stdout, with examples', async (...parameters) => {
    const { code, stdout, stderr } = await run(parameters);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/Usage: askema.*Examples:\n {2}(askema|\w+=\S+ askema) /s);
  });

  it('names every flow', async () => {
    const { stdout } = await run(['ask', '--help']);
    for (const { name } of FLOWS) expect(stdout).toContain(name);
  });

  it('tells the version of the package', async () => {
    expect(await run(['--version'])).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
    });
  });
});

describe('wrong usage', () => {
  it.each([
    [['aks'], /unknown command 'aks'.*Did you mean ask\?/s],
    [['ask', '--formt', 'csv'], /unknown option '--formt'.*Did you mean --format\?/s],
    [['ask', 'x.sqlite', 'q', '--format', 'xml'], /'xml' is invalid.*table, json, jsonl, csv, markdown/s],
    [['ask'], /DATABASE and QUESTION are missing/],
    [['ask', 'x.sqlite'], /QUESTION is missing/],
    [['ask', 'x.sqlite', '  '], /The question is empty/],
    [['ask', 'x.sqlite', '-'], /The question is empty/],
    [['ask', 'x.sqlite', 'q', '--timeout', '2'], /--timeout "2" is no time.*2s/],
    [['ask', 'x.sqlite', 'q', '--max-rows', '0'], /--max-rows "0" must be a whole number of at least 1/],
    [['ask', 'x.sqlite', 'q', '--flow', 'plian'], /no flow `plian`.*`plain`/],
    [['ask', 'x.sqlite', 'q', '--yes'], /--yes approves what --write does/],
    [['ask', 'x.sqlite', 'q', '--write'], /--write asks for approval on a terminal.*--yes/],
    [['ask', 'x.sqlite', 'q', '--evidence', '@gone.txt'], /--evidence @gone\.txt cannot be read/],
    [['ask', 'x.sqlite', 'q', '--config', 'gone.ts'], /gone\.ts does not exist/],
    [['schema'], /DATABASE is missing/],
    [['eval'], /Usage: askema eval/],
    [['eval', 'run'], /missing required argument 'dataset'/],
    [['eval', 'run', 'x', '--hide', 'hr.*'], /'--hide <pattern>'.*runs on the whole database/s],
    [['eval', 'run', 'x', '--out', 'o', '--mask', '*.email'], /'--mask <pattern>'.*runs on the whole database/s],
    [['eval', 'run', 'x'], /--out is missing/],
    [[], /Usage: askema/],
  ])('%j exits with 2 and says what is wrong', async (parameters, message) => {
    const { code, stdout, stderr } = await run(parameters);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('tells who forgot the command', async () => {
    const { code, stderr } = await run(['package.json', 'How many?'], { cwd: process.cwd() });
    expect(code).toBe(2);
    expect(stderr).toContain('askema ask package.json "QUESTION"');
  });

  it('shows a stack only for ASKEMA_DEBUG', async () => {
    const shown = await run(['ask'], { env: { ASKEMA_DEBUG: '1' } });
    expect(shown.stderr).toMatch(/\n\s+at /);
  });
});
