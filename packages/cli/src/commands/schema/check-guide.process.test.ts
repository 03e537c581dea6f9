import { execFile } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

const GUIDE = readFileSync(fileURLToPath(new URL('../../../../../docs/guide/check.md', import.meta.url)), 'utf8');
const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url));
const NODE_OPTIONS = ['--conditions=@askema/source', '--disable-warning=ExperimentalWarning'];

/** The blocks of code of the guide: what stands behind the three marks, and the code. */
const BLOCKS = [...GUIDE.matchAll(/^```(.+)\n([\s\S]*?)^```/gm)].map(([, info = '', code = '']) => ({ info, code }));
const COMMANDS = BLOCKS.flatMap(({ info, code }, at) =>
  info === 'sh run' ? [{ command: code, printed: BLOCKS[at + 1]?.code ?? '' }] : [],
);

let project: TemporaryProject;
beforeAll(() => {
  project = temporaryProject();
  for (const { info, code } of BLOCKS) if (info.startsWith('sql run ')) project.database(info.slice(8), code);
  chmodSync(
    project.write('bin/askema', `#!/bin/sh\nexec "${process.execPath}" ${NODE_OPTIONS.join(' ')} "${MAIN}" "$@"\n`),
    0o755,
  );
});
afterAll(() => project.remove());

describe('docs/guide/check.md', { timeout: 60_000 }, () => {
  it('has a command', () => {
    expect(COMMANDS).toHaveLength(1);
  });

  it.each(COMMANDS)('prints what stands below, and exits with 1: $command', async ({ command, printed }) => {
    const env = { ...process.env, PATH: `${project.path('bin')}${delimiter}${process.env.PATH ?? ''}` };
    const failed = await promisify(execFile)('/bin/sh', ['-c', command], { cwd: project.folder, env }).catch(
      (error: { readonly code: number; readonly stdout: string; readonly stderr: string }) => error,
    );
    expect(failed).toMatchObject({ code: 1, stdout: printed });
    expect(failed.stderr).toContain('Suspects hold in the rows that were read');
  });
});
