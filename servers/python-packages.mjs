import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const FOLDER = import.meta.dirname;
const REQUIREMENTS = join(FOLDER, 'requirements.txt');
/** Everything that is installed, and the lock, stand below one folder that git ignores. */
const ROOT = join(FOLDER, '.venv');
const ENVIRONMENT = join(ROOT, 'environment');
const PACKAGES = join(ROOT, 'packages');
const LOCK = join(ROOT, 'lock');
const STAMP = join(ROOT, 'installed.txt');
const run = promisify(execFile);

/**
 * How Python is called so that it finds fakesnow in the pinned versions: installed from PyPI unless it is there. Of several processes that want it
 * at once one installs and the others wait. Rejects when it cannot be had.
 *
 * @returns {Promise<{ python: string, environment: NodeJS.ProcessEnv }>}
 */
export async function installFakesnow() {
  const wanted = readFileSync(REQUIREMENTS, 'utf8');
  const isThere = () => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted;
  mkdirSync(ROOT, { recursive: true });
  while (!isThere()) {
    if (!takeLock()) {
      await sleep(200);
      continue;
    }
    try {
      if (isThere()) break;
      await install();
      writeFileSync(`${STAMP}.${process.pid}`, wanted);
      renameSync(`${STAMP}.${process.pid}`, STAMP);
    } finally {
      rmSync(LOCK, { force: true });
    }
  }
  return existsSync(PACKAGES)
    ? { python: 'python3', environment: { ...process.env, PYTHONPATH: PACKAGES } }
    : { python: join(ENVIRONMENT, 'bin/python'), environment: process.env };
}

/** True when this process may install. The lock of a process that has ended is nobody's. */
function takeLock() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    return true;
  } catch (problem) {
    if (problem.code !== 'EEXIST') throw problem;
  }
  const holder = readHolder();
  if (holder !== undefined && !isAlive(holder)) {
    // Only one of those who see it can rename it.
    const taken = `${LOCK}.${process.pid}`;
    try {
      renameSync(LOCK, taken);
      rmSync(taken, { force: true });
    } catch {
      // Another one was faster.
    }
  }
  return false;
}

/** The process that holds the lock; undefined while it is being written. */
function readHolder() {
  try {
    const holder = Number(readFileSync(LOCK, 'utf8'));
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

/** An environment of its own; where the machine's Python cannot make one (no ensurepip), only a folder of packages. */
async function install() {
  rmSync(STAMP, { force: true });
  rmSync(PACKAGES, { recursive: true, force: true });
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', REQUIREMENTS];
  try {
    await run('python3', ['-m', 'venv', '--clear', ENVIRONMENT]);
    await run(join(ENVIRONMENT, 'bin/python'), pip);
  } catch (problem) {
    try {
      await run('python3', [...pip, '--target', PACKAGES]);
    } catch (second) {
      throw new Error(
        `fakesnow cannot be installed: Python 3.11 with venv or pip, and PyPI, are needed.\n${problem}\n${second}`,
      );
    }
  }
}
