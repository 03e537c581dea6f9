import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Of several processes that want something installed in a folder at once one installs and the others wait.
 *
 * @param {string} root the folder, below which the lock stands too; git ignores it
 * @param {() => boolean} isThere
 * @param {() => Promise<void>} install
 */
export async function installOnce(root, isThere, install) {
  const lock = join(root, 'lock');
  mkdirSync(root, { recursive: true });
  while (!isThere()) {
    if (!takeLock(lock)) {
      await sleep(200);
      continue;
    }
    try {
      if (!isThere()) await install();
    } finally {
      rmSync(lock, { force: true });
    }
  }
}

/** Written last, in one go: says what was installed. */
export function writeStamp(stamp, text) {
  writeFileSync(`${stamp}.${process.pid}`, text);
  renameSync(`${stamp}.${process.pid}`, stamp);
}

/** True when this process may install. The lock of a process that has ended is nobody's. */
function takeLock(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (problem) {
    if (problem.code !== 'EEXIST') throw problem;
  }
  const holder = readHolder(lock);
  if (holder !== undefined && !isAlive(holder)) {
    // Only one of those who see it can rename it.
    const taken = `${lock}.${process.pid}`;
    try {
      renameSync(lock, taken);
      rmSync(taken, { force: true });
    } catch {
      // Another one was faster.
    }
  }
  return false;
}

/** The process that holds the lock; undefined while it is being written. */
function readHolder(lock) {
  try {
    const holder = Number(readFileSync(lock, 'utf8'));
    return Number.isSafeInteger(holder) && holder > 0 ? holder : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (problem) {
    return problem.code === 'EPERM';
  }
}
