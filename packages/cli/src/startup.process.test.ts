import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAskema } from './testing/run-askema.ts';
import { type TemporaryProject, temporaryProject } from './testing/temporary-project.ts';

/** Writes the URL of every module that is loaded, imported or required, to a file. */
const RECORDER = `
  import { appendFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      appendFileSync(process.env.LOADED, url + '\\n');
      return next(url, context);
    },
  });
`;

let project: TemporaryProject;
beforeAll(() => {
  project = temporaryProject();
  project.write('recorder.mjs', RECORDER);
});
afterAll(() => project.remove());

async function loadedModules(parameters: readonly string[]): Promise<{ loaded: string[]; code: number | null }> {
  const file = project.write('loaded.txt', '');
  const { code } = await runAskema(parameters, {
    cwd: project.folder,
    env: { LOADED: file },
    nodeOptions: [`--import=${project.path('recorder.mjs')}`],
  });
  return { loaded: readFileSync(file, 'utf8').split('\n').filter(Boolean), code };
}

const HEAVY =
  /better-sqlite3|\/openai\/|@anthropic-ai|@dbos-inc|\/pg\/|\/zod\/|\/packages\/(core|eval|dbos|text2sql|text2schema|dialects|lexical)\/|\/adapters\//;

describe('start', () => {
  it.each([
    ['--help'],
    ['--version'],
    ['ask', '--help'],
    ['eval', 'run', '--help'],
    ['eval', 'compare', '--help'],
    ['design', '--help'],
    ['check', '--help'],
    ['unknown'],
  ])('loads no driver, no SDK and nothing of core for %s %s %s', async (...parameters) => {
    const { loaded } = await loadedModules(parameters);
    expect(loaded.some((url) => url.includes('commander'))).toBe(true);
    expect(loaded.filter((url) => HEAVY.test(url))).toEqual([]);
  });
});
