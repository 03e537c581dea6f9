import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * How Python is called so that it finds the packages that `requirements.txt` of a folder pins: installed from PyPI unless they are there. Of
 * several processes that want them at once one installs and the others wait. Rejects when they cannot be had.
 *
 * @param {string} folder
 * @param {readonly string[]} flags of pip, such as `--no-deps`
 * @returns {Promise<{ python: string, environment: NodeJS.ProcessEnv }>}
 */
export async function installPackages(folder, flags = []) {
  // Everything that is installed, and the lock, stand below one folder that git ignores.
  const root = join(folder, '.venv');
  const places = {
    requirements: join(folder, 'requirements.txt'),
    environment: join(root, 'environment'),
    packages: join(root, 'packages'),
    stamp: join(root, 'installed.txt'),
  };
  const lock = join(root, 'lock');
  const wanted = readFileSync(places.requirements, 'utf8');
  const isThere = () => existsSync(places.stamp) && readFileSync(places.stamp, 'utf8') === wanted;
  mkdirSync(root, { recursive: true });
  while (!isThere()) {
    if (!takeLock(lock)) {
      await sleep(200);
      continue;
    }
    try {
      if (isThere()) break;
      await install(places, flags);
      writeFileSync(`${places.stamp}.${process.pid}`, wanted);
      renameSync(`${places.stamp}.${process.pid}`, places.stamp);
    } finally {
      rmSync(lock, { force: true });
    }
  }
  return existsSync(places.packages)
    ? { python: 'python3', environment: { ...process.env, PYTHONPATH: places.packages } }
    : { python: join(places.environment, 'bin/python'), environment: process.env };
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

/** An environment of its own; where the machine's Python cannot make one (no ensurepip), only a folder of packages. */
async function install({ requirements, environment, packages, stamp }, flags) {
  rmSync(stamp, { force: true });
  rmSync(packages, { recursive: true, force: true });
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...flags, '-r', requirements];
  try {
    await run('python3', ['-m', 'venv', '--clear', environment]);
    await run(join(environment, 'bin/python'), pip);
  } catch (problem) {
    try {
      await run('python3', [...pip, '--target', packages]);
    } catch (second) {
      throw new Error(
        `${requirements} cannot be installed: Python 3.11 with venv or pip, and PyPI, are needed.\n${problem}\n${second}`,
      );
    }
  }
}
