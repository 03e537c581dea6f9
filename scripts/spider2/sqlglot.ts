import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const FOLDER = fileURLToPath(new URL('../../servers/sqlglot/', import.meta.url));
const REQUIREMENTS = join(FOLDER, 'requirements.txt');
const ENVIRONMENT = join(FOLDER, '.venv');
const STAMP = join(ENVIRONMENT, 'installed.txt');
const run = promisify(execFile);

/** How Python is called so that it finds sqlglot. */
export interface Sqlglot {
  readonly python: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly version: string;
}

/**
 * sqlglot in the version that `servers/sqlglot/requirements.txt` pins, installed from PyPI into `servers/sqlglot/.venv`
 * unless it is there. Rejects when Python 3 or the package cannot be had: a comparison that does not run proves
 * nothing.
 */
export async function installSqlglot(): Promise<Sqlglot> {
  const wanted = readFileSync(REQUIREMENTS, 'utf8');
  if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== wanted) {
    await install();
    writeFileSync(STAMP, wanted);
  }
  const found = callPython();
  const { stdout } = await run(found.python, ['-c', 'import sqlglot; print(sqlglot.__version__)'], {
    env: found.environment,
  });
  const version = stdout.trim();
  if (!wanted.includes(`sqlglot==${version}\n`))
    throw new Error(`sqlglot ${version} was found, but ${wanted.trim()} is wanted; remove ${ENVIRONMENT}.`);
  return { ...found, version };
}

/** An environment of its own; where the machine's Python cannot make one (no ensurepip), only a folder of packages. */
async function install(): Promise<void> {
  try {
    await run('python3', ['-m', 'venv', '--clear', ENVIRONMENT]);
    await run(join(ENVIRONMENT, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '-r', REQUIREMENTS]);
  } catch (problem) {
    try {
      await run('python3', [
        '-m',
        'pip',
        'install',
        '--quiet',
        '--target',
        join(ENVIRONMENT, 'packages'),
        '-r',
        REQUIREMENTS,
      ]);
    } catch (second) {
      throw new Error(
        `sqlglot cannot be installed: Python 3 with venv or pip, and PyPI, are needed.\n${String(problem)}\n${String(second)}`,
      );
    }
  }
}

function callPython(): Omit<Sqlglot, 'version'> {
  const own = join(ENVIRONMENT, 'bin/python');
  const packages = join(ENVIRONMENT, 'packages');
  return existsSync(packages)
    ? { python: 'python3', environment: { ...process.env, PYTHONPATH: packages } }
    : { python: own, environment: process.env };
}

/**
 * Sends each item as a line of JSON to a script in `servers/sqlglot`, and yields its answers. Rejects when the script
 * fails.
 */
export async function askSqlglot<Answer>(
  { python, environment }: Sqlglot,
  script: string,
  items: readonly unknown[],
): Promise<Answer[]> {
  const child = spawn(python, [join(FOLDER, script)], { env: environment, stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  let complaint = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('close', resolve);
  });
  child.stdin.on('error', () => {});
  child.stdin.end(items.map((item) => `${JSON.stringify(item)}\n`).join(''));
  const code = await ended;
  const answers = output.split('\n').filter((line) => line !== '');
  if (code !== 0 || answers.length !== items.length)
    throw new Error(`${script} ended with ${code} after ${answers.length} of ${items.length} answers:\n${complaint}`);
  return answers.map((line) => JSON.parse(line) as Answer);
}
