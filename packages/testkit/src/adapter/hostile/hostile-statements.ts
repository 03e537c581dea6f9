import type { Dialect } from '@askema/core';
import { BIGQUERY } from './bigquery.ts';
import { DUCKDB } from './duckdb.ts';
import {
  HOSTILE_GROUPS,
  type HostileFamily,
  type HostileGroup,
  type HostileStatement,
  type HostileStatementOptions,
  type HostileStatements,
} from './hostile-statement.ts';
import { MYSQL } from './mysql.ts';
import { POSTGRES } from './postgres.ts';
import { SNOWFLAKE } from './snowflake.ts';
import { SQLITE } from './sqlite.ts';
import { STANDARD_STATEMENTS } from './standard.ts';

/** What engines of one family understand alone, by the name of a dialect or by its grammar. */
const BY_FAMILY: ReadonlyMap<string | undefined, HostileFamily> = new Map([
  ['sqlite', SQLITE],
  ['postgres', POSTGRES],
  ['postgresql', POSTGRES],
  ['redshift', POSTGRES],
  ['mysql', MYSQL],
  ['mariadb', MYSQL],
  ['duckdb', DUCKDB],
  ['snowflake', SNOWFLAKE],
  ['bigquery', BIGQUERY],
]);

/** A dialect, or its name alone. */
export type DialectOrName = string | Pick<Dialect, 'name' | 'grammar'>;

function familiesOf(dialect: DialectOrName): readonly HostileFamily[] {
  const { name, grammar } = typeof dialect === 'string' ? { name: dialect } : dialect;
  return [...new Set([BY_FAMILY.get(name), BY_FAMILY.get(grammar)])].filter((family) => family !== undefined);
}

const AS_THEY_STAND: readonly HostileGroup[] = ['changes', 'disguises', 'session', 'reach', 'functions'];

/**
 * Statements that an adapter must refuse under `access: 'read'`: those of common SQL, and those of one family of
 * engines as far as they are known here. They work on the `shop` fixture of the suite.
 *
 * @param dialect a name alone, or a dialect: then its grammar counts as well, so that libSQL has those of SQLite.
 */
export function hostileStatements(
  dialect: DialectOrName,
  options: HostileStatementOptions = {},
): readonly HostileStatement[] {
  const { groups = AS_THEY_STAND } = options;
  return [STANDARD_STATEMENTS, ...familiesOf(dialect).map(({ statements }) => statements)]
    .flatMap(listed)
    .filter(({ group }) => groups.includes(group))
    .map((statement) => ({ ...statement, sql: fillIn(statement.sql, options) }));
}

function listed(statements: HostileStatements): readonly (HostileStatement & { readonly group: HostileGroup })[] {
  return HOSTILE_GROUPS.flatMap((group) =>
    Object.entries(statements[group] ?? {}).flatMap(([harm, attacks]) =>
      Object.entries(attacks).map(([attack, sql]) => ({
        ...{ sql, attack, group, harm: harm as HostileStatement['harm'] },
      })),
    ),
  );
}

/** The group of a statement, also of one that names none. */
export function groupOf({ group, harm }: HostileStatement): HostileGroup {
  return group ?? ({ file: 'changes', connection: 'session', reach: 'reach' } as const)[harm];
}

/** The statement with what its placeholders stand for. */
export function fillIn(sql: string, { folder, secret, port }: HostileStatementOptions): string {
  return sql
    .replaceAll('{folder}', folder ?? '/tmp')
    .replaceAll('{secret}', secret ?? '/etc/passwd')
    .replaceAll('{port}', String(port ?? 1));
}

/** What a writer has to run before the statements of the group `planted`. */
export function plantsOf(dialect: DialectOrName, options: HostileStatementOptions = {}): readonly string[] {
  return familiesOf(dialect).flatMap(({ plants }) => (plants ?? []).map((sql) => fillIn(sql, options)));
}

/** Queries whose answers show what statements left behind. */
export function tracesOf(dialect: DialectOrName): readonly string[] {
  return familiesOf(dialect).flatMap(({ traces }) => traces ?? []);
}

/** False for a dialect of which only the attacks in common SQL are known. */
export function isFamilyKnown(dialect: DialectOrName): boolean {
  return familiesOf(dialect).length > 0;
}
