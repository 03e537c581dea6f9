import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/askema-tests/', import.meta.url));

/**
 * A new, empty PGlite; who asks closes it. To initialise one takes three seconds of processor time and more, so what
 * the first has on disk is kept for those after it, which then start in less than one.
 */
export async function freshPostgres(): Promise<PGlite> {
  const file = join(CACHE, `pglite-${version()}.tar`);
  const kept = read(file);
  if (kept !== undefined) return PGlite.create({ loadDataDir: new Blob([kept]) });
  const first = await PGlite.create();
  const data = await first.dumpDataDir('none');
  mkdirSync(CACHE, { recursive: true });
  // Several processes may be first: each writes a whole file, and one of them stays.
  const own = `${file}.${process.pid}`;
  writeFileSync(own, new Uint8Array(await data.arrayBuffer()));
  renameSync(own, file);
  return first;
}

/** Of the installed package; what another version kept is of no use. */
function version(): string {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  return (JSON.parse(readFileSync(join(entry, '..', '..', 'package.json'), 'utf8')) as { version: string }).version;
}

function read(file: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new Uint8Array(readFileSync(file));
  } catch {
    return undefined;
  }
}
