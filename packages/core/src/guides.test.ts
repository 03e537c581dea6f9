import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

const GUIDES = fileURLToPath(new URL('../../../docs/guide/', import.meta.url));
// Inside the package, so that `@askema/core` is found by its own name.
const FOLDER = fileURLToPath(new URL('../.askema/guides/', import.meta.url));

/** Each example of a guide: its code, and the output that stands below it. */
function examplesOf(guide: string) {
  const text = readFileSync(join(GUIDES, guide), 'utf8');
  return [...text.matchAll(/```ts\n(.*?)```\n\n```text\n(.*?)```/gs)].map(([, code = '', output = ''], index) => ({
    name: `${guide.replace('.md', '')}-${index + 1}`,
    code,
    output,
  }));
}

describe.each([
  ['flows.md', 9],
  ['agents.md', 3],
])('docs/guide/%s', (guide, count) => {
  const examples = examplesOf(guide);
  beforeAll(() => mkdirSync(FOLDER, { recursive: true }));
  // Examples that write files do so below the folder that is removed.
  beforeEach(() => vi.stubEnv('TMPDIR', FOLDER));
  afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  it('has examples', () => {
    expect(examples.length).toBeGreaterThanOrEqual(count);
  });

  it.each(examples)('$name prints what it says', async ({ name, code, output }) => {
    const file = join(FOLDER, `${name}.ts`);
    writeFileSync(file, code);
    let printed = '';
    vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
      printed += `${format(...values)}\n`;
    });
    await import(file);
    expect(printed).toBe(output);
  });
});
