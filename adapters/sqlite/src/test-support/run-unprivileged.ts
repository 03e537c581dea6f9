import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** `nobody` on most systems. */
const NOBODY = 65_534;

/**
 * The error code and message of a first query on a file, asked by a process that is not root: root may read and write
 * everything, so that permissions could not be tested in its name.
 */
export async function errorWithoutPrivileges(
  file: string,
): Promise<{ readonly code: string; readonly message: string }> {
  const script = fileURLToPath(new URL('./query-once.ts', import.meta.url));
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@askema/source', script, file], {
    ...user,
    cwd: '/',
  });
  return JSON.parse(stdout) as { code: string; message: string };
}
