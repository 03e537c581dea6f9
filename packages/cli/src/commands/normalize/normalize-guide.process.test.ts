import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

const GUIDE = readFileSync(fileURLToPath(new URL('../../../../../docs/guide/normalize.md', import.meta.url)), 'utf8');
const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url));
// Inside the package, so that packages are found by their own names.
const FOLDER = fileURLToPath(new URL('../../../.askema/normalize-guide/', import.meta.url));
const NODE_OPTIONS = ['--conditions=@askema/source', '--disable-warning=ExperimentalWarning'];

/** The blocks of code of the guide: what stands behind the three marks, and the code. */
const BLOCKS = [...GUIDE.matchAll(/^```(.+)\n([\s\S]*?)^```/gm)].map(([, info = '', code = '']) => ({ info, code }));
const PROGRAMS = BLOCKS.filter(({ info }) => info === 'ts run').map(({ code }) => code);
const COMMANDS = BLOCKS.flatMap(({ info, code }, at) =>
  info === 'sh run' ? [{ command: code, printed: BLOCKS[at + 1]?.code ?? '' }] : [],
);

let project: TemporaryProject;
beforeAll(() => {
  project = temporaryProject();
  for (const { info, code } of BLOCKS) if (info.startsWith('yaml run ')) project.write(info.slice(9), code);
  chmodSync(
    project.write('bin/askema', `#!/bin/sh\nexec "${process.execPath}" ${NODE_OPTIONS.join(' ')} "${MAIN}" "$@"\n`),
    0o755,
  );
  mkdirSync(FOLDER, { recursive: true });
});
afterAll(() => {
  project.remove();
  rmSync(FOLDER, { recursive: true, force: true });
});

describe('docs/guide/normalize.md', { timeout: 60_000 }, () => {
  it('has commands and a program', () => {
    expect([COMMANDS.length, PROGRAMS.length]).toEqual([2, 1]);
  });

  it.each(COMMANDS)('prints what stands below: $command', async ({ command, printed }) => {
    const env = { ...process.env, PATH: `${project.path('bin')}${delimiter}${process.env.PATH ?? ''}` };
    const { stdout, stderr } = await promisify(execFile)('/bin/sh', ['-c', command], { cwd: project.folder, env });
    expect({ stdout, stderr }).toEqual({ stdout: printed, stderr: '' });
  });

  it('has a program that runs as it stands', async () => {
    const file = join(FOLDER, 'program.ts');
    writeFileSync(file, PROGRAMS[0] ?? '');
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [...NODE_OPTIONS, file], { cwd: FOLDER });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^\{ keys: \[ \[ 'ID' \] \], complete: true \}\n`Dorm` depends on `Dept`, which is no key/);
    expect(stdout).toMatch(/\{ valid: true, problems: \[\] \}\n$/);
  });
});
