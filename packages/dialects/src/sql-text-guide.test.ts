import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

const GUIDE = fileURLToPath(new URL('../../../docs/guide/sql-text.md', import.meta.url));
// Inside the package, so that packages are found by their own names.
const FOLDER = fileURLToPath(new URL('../.askema/guide/', import.meta.url));

/** Each example of the guide: its code, and the output that stands below it. */
const examples = [...readFileSync(GUIDE, 'utf8').matchAll(/```ts\n(.*?)```\n\n```text\n(.*?)```/gs)].map(
  ([, code = '', output = ''], index) => ({ name: `example-${index + 1}`, code, output }),
);

describe('docs/guide/sql-text.md', () => {
  beforeAll(() => mkdirSync(FOLDER, { recursive: true }));
  afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));
  afterEach(() => vi.restoreAllMocks());

  it('has examples', () => {
    expect(examples).toHaveLength(4);
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
