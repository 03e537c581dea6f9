import type { Failure } from '../protocol.ts';
import { locateError } from '../sql/locate-error.ts';
import { nameOfToken, significantTokens, type Token } from '../sql/tokens.ts';
import type { Database } from './driver.ts';
import { isParameterComplaint } from './prepare.ts';
import { sqliteCode } from './sqlite-code.ts';

/** A hostile or huge catalog must not make an error expensive. */
const NAMES_LIMIT = 20_000;

/** What the caller is told about an error; `database` is asked for the place of the error and for names that exist. */
export function explainFailure(thrown: unknown, sql: string | undefined, database: () => Database): Failure {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const vendorCode = sqliteCode(thrown);
  if (vendorCode === undefined)
    return isParameterComplaint(thrown) ? { kind: 'parameters', message } : { kind: 'internal', message };
  if (vendorCode !== 'SQLITE_ERROR' || sql === undefined) return { kind: 'sqlite', vendorCode, message };
  const offset = locateError(sql, message, (prefix) => complaintOf(prefix, database));
  const names = attempt(() => existingNames(sql, message, database()));
  return { kind: 'sqlite', vendorCode, message, offset, names };
}

function complaintOf(sql: string, database: () => Database): string | undefined {
  try {
    database().prepare(sql);
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : undefined;
  }
}

/**
 * The names that the statement may have meant: relations, columns of the relations that it names (else of all),
 * functions.
 */
function existingNames(sql: string, message: string, database: Database): string[] | undefined {
  const list = (query: string, ...parameters: readonly unknown[]): string[] =>
    database
      .prepare(`${query} LIMIT ${NAMES_LIMIT}`)
      .pluck()
      .all(...parameters) as string[];
  if (/no such (?:table-valued )?function/.test(message))
    return list('SELECT DISTINCT name FROM temp.pragma_function_list');
  if (/no such (?:table|view)/.test(message))
    return list("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')");
  if (!/no such column|no column named|unknown column|cannot join using column/.test(message)) return undefined;
  const mentioned = JSON.stringify([...significantTokens(sql)].flatMap(foldedName));
  const columns = (filter: string, ...parameters: readonly unknown[]): string[] =>
    list(
      `SELECT DISTINCT x.name COLLATE NOCASE FROM sqlite_schema AS s JOIN temp.pragma_table_xinfo(s.name, 'main') AS x WHERE s.type IN ('table', 'view') AND ${filter}`,
      ...parameters,
    );
  const near = columns('lower(s.name) IN (SELECT value FROM temp.json_each(?))', mentioned);
  return near.length > 0 ? near : columns("s.type = 'table'");
}

function foldedName(token: Token): string[] {
  const name = nameOfToken(token);
  return name === undefined ? [] : [name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())];
}

function attempt<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch {
    // The statement's own error counts; that help could not be found changes nothing.
    return undefined;
  }
}
