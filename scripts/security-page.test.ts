import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostileStatements } from '@askema/testkit';
import { expect, test } from 'vitest';
import { ROOT } from './workspace.ts';

const page = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');

/** Without those that may run. */
const REFUSED = ['changes', 'disguises', 'session', 'reach', 'functions', 'planted', 'bombs'] as const;

test.each([
  ['SQLite', 'sqlite'],
  ['DuckDB', 'duckdb'],
  ['PostgreSQL', 'postgres'],
  ['MySQL, MariaDB', 'mariadb'],
  ['Snowflake', 'snowflake'],
  ['BigQuery', 'bigquery'],
])('docs/security.md says how many hostile statements %s meets', (engine, dialect) => {
  const row = page.split('\n').find((line) => line.startsWith(`| ${engine} |`));
  expect(row?.split('|').at(-2)?.trim()).toBe(String(hostileStatements(dialect, { groups: REFUSED }).length));
});
