import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Statement } from './statements.ts';

const PROGRAM = join(import.meta.dirname, 'reference.py');
/** Where the tests of `servers` install sqlglot; else `python3` has to have it. */
const ENVIRONMENT = join(import.meta.dirname, '../../servers/sqlglot/.venv');

/** What sqlglot reads in one statement, names in lower case; null where it does not parse. */
export interface Reading {
  readonly ctes: readonly string[] | null;
  /** Names of tables that are no CTE. */
  readonly tables: readonly string[] | null;
  readonly seconds: number;
}

export interface Reference {
  readonly version: string;
  /** In the order of the statements. */
  readonly readings: readonly Reading[];
}

/** Undefined where no Python has sqlglot. */
export function askSqlglot(statements: readonly Statement[]): Reference | undefined {
  const packages = join(ENVIRONMENT, 'packages');
  const own = join(ENVIRONMENT, 'bin/python');
  const environment = existsSync(packages) ? { ...process.env, PYTHONPATH: packages } : process.env;
  const ran = spawnSync(existsSync(own) && !existsSync(packages) ? own : 'python3', [PROGRAM], {
    input: statements.map((statement) => `${JSON.stringify(statement)}\n`).join(''),
    encoding: 'utf8',
    env: environment,
    maxBuffer: 2 ** 28,
  });
  if (ran.status !== 0) return undefined;
  const [head = '', ...lines] = ran.stdout.trim().split('\n');
  return {
    version: (JSON.parse(head) as { readonly version: string }).version,
    readings: lines.map((line) => JSON.parse(line) as Reading),
  };
}
