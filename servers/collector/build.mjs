import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installOnce, writeStamp } from '../install-once.mjs';

const SOURCES = ['main.go', 'go.mod', 'go.sum'];

/**
 * The program, built from what `go.mod` pins unless it is there. Rejects with what to do where Go is missing.
 *
 * @returns {Promise<string>} its path
 */
export async function buildCollector() {
  const folder = import.meta.dirname;
  const root = join(folder, '.build');
  const program = join(root, 'collector');
  const stamp = join(root, 'built.txt');
  const hash = createHash('sha256');
  for (const source of SOURCES) hash.update(readFileSync(join(folder, source)));
  const wanted = hash.digest('hex');
  const isThere = () => existsSync(program) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  await installOnce(root, isThere, async () => {
    try {
      // Without the tables for debuggers: a third less to write.
      const flags = ['build', '-mod=readonly', '-trimpath', '-ldflags=-s -w', '-o', program, '.'];
      await promisify(execFile)('go', flags, { cwd: folder });
    } catch (cause) {
      const why = cause.code === 'ENOENT' ? 'There is no `go`.' : cause.stderr;
      throw new Error(`The collector cannot be built: Go 1.26 or newer and its module proxy are needed.\n${why}`, {
        cause,
      });
    }
    writeStamp(stamp, wanted);
  });
  return program;
}
