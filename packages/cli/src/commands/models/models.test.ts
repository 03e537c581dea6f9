import { describe, expect, it } from 'vitest';
import { runCli } from '../../run-cli.ts';
import { memoryHost } from '../../testing/memory-host.ts';

async function models(env: Record<string, string>, flags: readonly string[] = []) {
  const host = memoryHost({ env: { OLLAMA_HOST: '127.0.0.1:1', ...env }, cwd: '/' });
  const code = await runCli(['models', ...flags], host);
  return { code, ...host.written };
}

const KEY = 'sk-a-key-that-nobody-may-ever-see-0123456789';

describe('askema models', () => {
  it('says that only the built-in solver is there, and how to get a model', async () => {
    const { code, stdout, stderr } = await models({});
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Answers now: lexical \(nothing else was found\)/);
    expect(stdout).toMatch(/4\. +OPENAI_API_KEY +not set/);
    expect(stdout).toMatch(/Ollama +does not answer at http:\/\/127\.0\.0\.1:1\n/);
    expect(stdout).toMatch(/openai +OpenAI, .*\(needs OPENAI_API_KEY; default gpt-\S+\)/);
    expect(stdout).toMatch(/ollama pull/);
  });

  it('names variables, never their values', async () => {
    const { stdout } = await models({
      OPENAI_API_KEY: KEY,
      ANTHROPIC_API_KEY: KEY,
      OLLAMA_HOST: 'http://ada:pass-word@127.0.0.1:1',
    });
    expect(stdout).toMatch(/^Answers now: openai:gpt-\S+ \(OPENAI_API_KEY is set\)/);
    expect(stdout).toMatch(/5\. +ANTHROPIC_API_KEY +set/);
    expect(stdout).not.toMatch(new RegExp(`${KEY}|pass-word`));
  });

  it('says when what is named cannot be had', async () => {
    const { code, stdout } = await models({ ASKEMA_MODEL: 'anthropic:claude-x' });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^No model answers now: .*set ANTHROPIC_API_KEY/);
  });

  it('prints the same as JSON', async () => {
    const { stdout } = await models({ ANTHROPIC_API_KEY: KEY }, ['--format', 'json']);
    const report = JSON.parse(stdout);
    expect(report.chosen).toMatchObject({
      model: expect.stringMatching(/^anthropic:claude-/),
      origin: 'ANTHROPIC_API_KEY is set',
    });
    expect(report.places.map((each: { place: string }) => each.place)).toEqual([
      '--model',
      'ASKEMA_MODEL',
      'defaults.model of the configuration',
      'OPENAI_API_KEY',
      'ANTHROPIC_API_KEY',
      'Ollama',
      'lexical',
    ]);
    expect(stdout).not.toContain(KEY);
  });
});
