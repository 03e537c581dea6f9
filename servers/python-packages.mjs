import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installOnce, writeStamp } from './install-once.mjs';

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
  const wanted = readFileSync(places.requirements, 'utf8');
  const isThere = () => existsSync(places.stamp) && readFileSync(places.stamp, 'utf8') === wanted;
  await installOnce(root, isThere, async () => {
    await install(places, flags);
    writeStamp(places.stamp, wanted);
  });
  return existsSync(places.packages)
    ? { python: 'python3', environment: { ...process.env, PYTHONPATH: places.packages } }
    : { python: join(places.environment, 'bin/python'), environment: process.env };
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
