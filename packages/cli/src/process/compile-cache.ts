import { existsSync, mkdirSync, statSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { isAbsolute, join } from 'node:path';
import { type Environment, readVariable } from './host.ts';

/**
 * Lets V8 keep what it compiles, so that later starts read it instead: for modules that are loaded from now on. Node
 * checks each entry against the text of its module. NODE_COMPILE_CACHE names another folder and
 * NODE_DISABLE_COMPILE_CACHE=1 turns it off, as for every program of Node. Nothing happens where no folder can be made.
 */
export function useCompileCache(env: Environment): void {
  if (readVariable(env, 'NODE_COMPILE_CACHE') !== undefined) return;
  const folder = openCacheFolder(env, 'compiled');
  if (folder === undefined) return;
  // Node keeps what there is when a module has been compiled. V8 would compile most functions only when they are called:
  // they would be missing, and compiled again at each start. Set first, it gives what is kept a folder of its own.
  process.getBuiltinModule('node:v8').setFlagsFromString('--no-lazy');
  nodeModule.enableCompileCache(folder);
}

/**
 * A folder for code that is made once and read at each start; undefined with NODE_DISABLE_COMPILE_CACHE=1, and where
 * none can be made that is the user's alone.
 */
export function openCacheFolder(env: Environment, name: string): string | undefined {
  if (readVariable(env, 'NODE_DISABLE_COMPILE_CACHE') !== undefined) return undefined;
  return openFolder(env, name, readVariable(env, 'NODE_COMPILE_CACHE'));
}

/** A folder of `askema` below that of the caches, which is this user's alone; undefined where none can be made. */
export function openFolder(env: Environment, name: string, instead?: string): string | undefined {
  const caches = cacheFolder(env);
  if (caches === undefined) return undefined;
  try {
    const own = instead ?? join(makeFolder(caches), 'askema');
    const folder = makeFolder(join(makeFolder(own), name));
    return isSafe(own) && isSafe(folder) ? folder : undefined;
  } catch {
    // A home that is missing, a disk that is full or read-only: the command starts as it would without.
    return undefined;
  }
}

/** https://specifications.freedesktop.org/basedir-spec/latest/; on Windows the folder of local application data. */
function cacheFolder(env: Environment): string | undefined {
  const named = readVariable(env, 'XDG_CACHE_HOME');
  if (named !== undefined && isAbsolute(named)) return named;
  const local = process.platform === 'win32' ? readVariable(env, 'LOCALAPPDATA') : undefined;
  const home = readVariable(env, 'HOME');
  return local ?? (home === undefined ? undefined : join(home, '.cache'));
}

/** Never the folders above it: a home that is missing is not made, and `recursive` does not end below /proc. */
function makeFolder(folder: string): string {
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/** What is in the folder is run as code: nobody else may have made it or may write to it. */
function isSafe(folder: string): boolean {
  if (process.getuid === undefined) return true;
  const { uid, mode } = statSync(folder);
  return uid === process.getuid() && (mode & 0o022) === 0;
}
