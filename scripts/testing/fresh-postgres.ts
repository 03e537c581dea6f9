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
  const pgliteWasmModule = await program();
  if (kept !== undefined) return PGlite.create({ pgliteWasmModule, loadDataDir: new Blob([kept]) });
  const first = await PGlite.create({ pgliteWasmModule });
  const data = await first.dumpDataDir('none');
  mkdirSync(CACHE, { recursive: true });
  // Several processes may be first: each writes a whole file, and one of them stays.
  const own = `${file}.${process.pid}`;
  writeFileSync(own, new Uint8Array(await data.arrayBuffer()));
  renameSync(own, file);
  return first;
}

/** Node has it; the types of the library without a browser do not. */
const { WebAssembly: webAssembly } = globalThis as unknown as {
  WebAssembly: { compile(bytes: Uint8Array): Promise<WebAssembly.Module> };
};
let compiled: Promise<WebAssembly.Module> | undefined;

/** PostgreSQL as a program, compiled once for all files of a process. */
function program(): Promise<WebAssembly.Module> {
  compiled ??= webAssembly.compile(readFileSync(installed('dist', 'pglite.wasm')));
  return compiled;
}

function installed(...path: string[]): string {
  return join(createRequire(import.meta.url).resolve('@electric-sql/pglite'), '..', '..', ...path);
}

/** Of the installed package; what another version kept is of no use. */
function version(): string {
  return (JSON.parse(readFileSync(installed('package.json'), 'utf8')) as { version: string }).version;
}

function read(file: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new Uint8Array(readFileSync(file));
  } catch {
    return undefined;
  }
}
