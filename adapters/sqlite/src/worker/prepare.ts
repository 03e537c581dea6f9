import { RequestFailure, type StatementRequest } from '@askema/adapter-kit/process';
import type { Access } from '@askema/core';
import { refuseByText } from '../sql/statement-rule.ts';
import { significantTokens } from '../sql/tokens.ts';
import { toBindable } from './cells.ts';
import type { Database, RowStatement } from './driver.ts';
import { sqliteCode } from './sqlite-code.ts';

/**
 * Prepares exactly one statement. What the text rule refuses is never prepared, because preparing a pragma can already
 * run it. Throws {@link RequestFailure}, or SQLite's own error.
 */
export function prepareOne(database: Database, sql: string, access: Access): RowStatement {
  const refusal = refuseByText(sql, access);
  if (refusal !== undefined) throw new RequestFailure(refusal);
  try {
    const statement = database.prepare(sql) as RowStatement;
    return statement.reader ? statement.raw().safeIntegers() : statement;
  } catch (thrown) {
    if (thrown instanceof RangeError) throw notOneStatement(thrown.message);
    throw thrown;
  }
}

/** Binds the parameters of a request: an array by position (also `?1`), an object by name without its prefix. */
export function bindParameters(statement: RowStatement, { sql, parameters }: StatementRequest): void {
  if (parameters === undefined) return;
  try {
    if (!isArray(parameters)) statement.bind(mapValues(parameters));
    else if (hasNumbered(sql))
      statement.bind(Object.fromEntries(parameters.map((value, index) => [index + 1, toBindable(value)])));
    else statement.bind(parameters.map(toBindable));
  } catch (thrown) {
    if (sqliteCode(thrown) !== undefined) throw thrown;
    throw new RequestFailure({
      kind: 'parameters',
      message: thrown instanceof Error ? thrown.message : String(thrown),
    });
  }
}

/** The driver's complaint about a statement whose parameters were not all bound. */
export function isParameterComplaint(thrown: unknown): boolean {
  return thrown instanceof Error && sqliteCode(thrown) === undefined && /parameter/.test(thrown.message);
}

type Parameters = NonNullable<StatementRequest['parameters']>;

function isArray(parameters: Parameters): parameters is Extract<Parameters, readonly unknown[]> {
  return Array.isArray(parameters);
}

function mapValues(named: Extract<Parameters, Readonly<Record<string, unknown>>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(named).map(([name, value]) => [name, toBindable(value)]));
}

function hasNumbered(sql: string): boolean {
  for (const token of significantTokens(sql)) if (token.kind === 'parameter' && /^\?\d/.test(token.text)) return true;
  return false;
}

function notOneStatement(message: string): Error {
  return message.includes('more than one')
    ? new RequestFailure({
        kind: 'refused',
        code: 'QUERY_REFUSED',
        message: 'More than one statement is refused: send one statement a call, without anything after its semicolon.',
      })
    : new RequestFailure({
        kind: 'sqlite',
        vendorCode: 'SQLITE_ERROR',
        message: 'incomplete input: there is no statement',
      });
}
