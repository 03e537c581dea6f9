import type { Dialect } from '@askema/core';
import { isSymbol, isWord, nameOfToken, readOnlyText, type SqlToken, significantTokens } from '@askema/sql';

/** Where engines keep their own tables, in lower case. */
const SYSTEM_NAMES: ReadonlySet<string> = new Set([
  'information_schema',
  'account_usage',
  'organization_usage',
  'pg_catalog',
  'sqlite_master',
  'sqlite_schema',
  'sqlite_temp_master',
  'sqlite_temp_schema',
  '__tables__',
  '__tables_summary__',
]);

/** Table functions and views of the system. */
const SYSTEM_PREFIX = /^(?:pragma_|duckdb_|pg_(?:class|attribute|tables|stat|proc|user|shadow|roles)|svv_|stl_)/i;

/**
 * Why a statement is no probe, in words for a log; undefined when it is one: a single SELECT that asks no table of the
 * system, and has no CTE unless `ctes` lets it run (ReFoRCE, section 3.2.3). A look at the text only: what may run, the
 * engine decides.
 */
export function checkProbe(
  sql: string,
  dialect: Pick<Dialect, 'lexer'>,
  { ctes = 'refuse' }: { readonly ctes?: 'refuse' | 'run' | undefined } = {},
): string | undefined {
  const tokens = significantTokens(sql, dialect.lexer);
  const end = tokens.findIndex((token) => isSymbol(token, ';'));
  if (end >= 0 && tokens.slice(end).some((token) => !isSymbol(token, ';'))) return 'It is more than one statement.';
  const first = tokens.find((token) => !isSymbol(token, '('));
  if (first === undefined) return 'There is no statement.';
  const hasCte =
    isWord(first, 'WITH') || tokens.some((token, at) => isWord(token, 'WITH') && isSymbol(tokens[at - 1], '('));
  if (hasCte && ctes === 'refuse') return 'It has a CTE: probes are single SELECTs.';
  if (!isWord(first, 'SELECT') && !hasCte)
    return `It begins with ${JSON.stringify(first.text.slice(0, 40))}: probes are single SELECTs.`;
  if (tokens.some((token) => isWord(token, 'INTO'))) return 'It would write its result into a relation.';
  const verdict = readOnlyText(sql, dialect.lexer);
  // What nothing closes is a mistake that the engine finds, and a model may mend.
  if (!verdict.ok && !tokens.some(({ unterminated }) => unterminated)) return verdict.reason;
  const system = tokens.find((token) => isSystemName(token, dialect));
  return system === undefined
    ? undefined
    : `It asks ${JSON.stringify(system.text.slice(0, 60))}: the schema is known already.`;
}

function isSystemName(token: SqlToken, dialect: Pick<Dialect, 'lexer'>): boolean {
  const name = nameOfToken(token, dialect.lexer);
  if (name === undefined) return false;
  // Names in backticks carry whole paths: `project.dataset.INFORMATION_SCHEMA.COLUMNS`.
  return name.split('.').some((part) => SYSTEM_NAMES.has(part.toLowerCase()) || SYSTEM_PREFIX.test(part));
}
