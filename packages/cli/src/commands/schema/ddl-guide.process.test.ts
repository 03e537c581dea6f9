import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const GUIDE = readFileSync(fileURLToPath(new URL('../../../../../docs/guide/ddl.md', import.meta.url)), 'utf8');
// Inside the package, so that packages are found by their own names.
const FOLDER = fileURLToPath(new URL('../../../.askema/ddl-guide/', import.meta.url));
const NODE_OPTIONS = ['--conditions=@askema/source', '--disable-warning=ExperimentalWarning'];

/** Each program of the guide, and what stands below it. */
const PROGRAMS = [...GUIDE.matchAll(/```ts run\n(.*?)```\n\n```text\n(.*?)```/gs)].map(
  ([, code = '', printed = ''], index) => ({ name: `program-${index + 1}`, code, printed }),
);

beforeAll(() => mkdirSync(FOLDER, { recursive: true }));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

describe('docs/guide/ddl.md', { timeout: 60_000 }, () => {
  it('has programs', () => {
    expect(PROGRAMS).toHaveLength(3);
  });

  it.each(PROGRAMS)('$name prints what it says', async ({ name, code, printed }) => {
    const file = join(FOLDER, `${name}.ts`);
    writeFileSync(file, code);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [...NODE_OPTIONS, file], { cwd: FOLDER });
    expect({ stdout: stdout.trimEnd(), stderr }).toEqual({ stdout: printed.trimEnd(), stderr: '' });
  });
});
