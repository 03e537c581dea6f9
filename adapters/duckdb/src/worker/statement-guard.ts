import { RequestFailure } from '@askema/adapter-kit/process';
import type { Access } from '@askema/core';
import type { DuckDBConnection, DuckDBExtractedStatements, DuckDBPreparedStatement } from '@duckdb/node-api';
import type { Failure, RawPlan } from '../protocol.ts';
import { failureOf } from './engine-failure.ts';
import type { FunctionGuard, FunctionVerdict } from './function-guard.ts';
import type { StatementMemory } from './statement-memory.ts';

export interface PrepareOptions {
  readonly access: Access;
  readonly guard: FunctionGuard;
  readonly memory?: StatementMemory | undefined;
  /** Why the text is not known to read only. */
  readonly textRefusal?: string | undefined;
}

/**
 * `duckdb_statement_type` (https://duckdb.org/docs/stable/clients/c/api): what each kind is, and what reads or may be
 * granted.
 */
const KINDS: Readonly<Record<number, { readonly name: string; readonly statement: RawPlan['statement'] }>> = {
  1: { name: 'SELECT', statement: 'read' },
  2: { name: 'INSERT', statement: 'write' },
  3: { name: 'UPDATE', statement: 'write' },
  4: { name: 'EXPLAIN', statement: 'read' },
  5: { name: 'DELETE', statement: 'write' },
  7: { name: 'CREATE', statement: 'ddl' },
  9: { name: 'ALTER', statement: 'ddl' },
  12: { name: 'ANALYZE', statement: 'ddl' },
  15: { name: 'DROP', statement: 'ddl' },
  18: { name: 'VACUUM', statement: 'ddl' },
  30: { name: 'MERGE', statement: 'write' },
};

/**
 * Prepares one statement of a kind that the call may run, by the engine's own parser; for a read, one whose functions
 * are known to only read. The engine's word comes first, that about the text second. Whatever else the kind hides, a
 * read runs in a read-only transaction.
 */
export async function prepareStatement(
  connection: DuckDBConnection,
  sql: string,
  options: PrepareOptions,
): Promise<Prepared> {
  const { access, guard, memory, textRefusal } = options;
  const before =
    access === 'read' && textRefusal === undefined ? await prepareAgain(connection, sql, memory) : undefined;
  if (before !== undefined) return before;
  // What changes something or reaches out, and fails already here, is refused for that.
  const refusedAs = (thrown: unknown): unknown =>
    access === 'read' && textRefusal !== undefined && failureOf(thrown).vendorCode !== 'Parser'
      ? textual(textRefusal)
      : thrown;
  const extracted = await extractOne(connection, sql).catch((thrown: unknown) => {
    throw thrown instanceof RequestFailure ? thrown : refusedAs(thrown);
  });
  const verdict = access === 'read' ? await guard.judge(connection, sql) : undefined;
  if (verdict?.refusal !== undefined) throw refusedRead(verdict.refusal);
  // To prepare what is no query would compute the arguments of its table functions, which nobody has looked at.
  if (verdict?.isQuery === false) throw textRefusal === undefined ? unclear() : refusedText(sql, textRefusal);
  const statement = await extracted.prepare(0).catch((thrown: unknown) => {
    throw refusedAs(thrown);
  });
  try {
    const kind = kindOf(statement.statementType, access);
    if (verdict !== undefined) throwIfUnclear(verdict);
    if (access === 'read' && textRefusal !== undefined) throw textual(textRefusal);
    if (verdict !== undefined) memory?.keepVerdict(sql, verdict);
    return { statement, kind };
  } catch (thrown) {
    statement.destroySync();
    throw thrown;
  }
}

/** The parser's word: a mistake in the syntax, no statement, or more than one. Nothing is bound. */
export async function extractOne(connection: DuckDBConnection, sql: string): Promise<DuckDBExtractedStatements> {
  const extracted = await connection.extractStatements(sql).catch((thrown: unknown) => {
    throw isEmpty(thrown) ? new RequestFailure<Failure>({ kind: 'empty' }) : thrown;
  });
  if (extracted.count === 0) throw new RequestFailure<Failure>({ kind: 'empty' });
  if (extracted.count > 1)
    throw refused(
      /\bPIVOT(_WIDER)?\b/i.test(sql)
        ? 'DuckDB makes several statements of this PIVOT, because it must look up the values first. Name them: PIVOT … ON column IN (…).'
        : 'There is more than one statement. Send one at a time.',
    );
  return extracted;
}

interface Prepared {
  readonly statement: DuckDBPreparedStatement;
  readonly kind: RawPlan['statement'];
}

/** A statement that was found to be a query which only reads, up to its numbers. Undefined for any other, and on failure. */
async function prepareAgain(
  connection: DuckDBConnection,
  sql: string,
  memory: StatementMemory | undefined,
): Promise<Prepared | undefined> {
  if (memory?.verdict(sql) === undefined) return undefined;
  try {
    const statement = memory.takeStatement(connection, sql) ?? (await connection.prepare(sql));
    return { statement, kind: kindOf(statement.statementType, 'read') };
  } catch {
    // Why it fails is told where it is looked at from the beginning.
    return undefined;
  }
}

function kindOf(type: number, access: Access): RawPlan['statement'] {
  const kind = KINDS[type];
  if (kind === undefined) throw neverRun();
  if (access === 'read' && kind.statement !== 'read') throw notReadOnly(`${kind.name} changes the database.`);
  return kind.statement;
}

/** The engine takes it for a query, and the guard could not follow all of it. */
function throwIfUnclear({ unknown }: FunctionVerdict): void {
  if (unknown !== undefined)
    throw refusedRead(
      `The function ${unknown}() is not on the list of functions that only read, so a call that reads does not run it. Write the query without it.`,
    );
}

function unclear(): RequestFailure {
  return refusedRead(
    'DuckDB does not tell which functions this statement calls, so a call that reads does not run it. Send it as a plain SELECT.',
  );
}

/** The driver says nothing of a text without a statement. */
function isEmpty(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message === 'Error in native callback';
}

function refused(message: string): RequestFailure {
  return new RequestFailure({ kind: 'refused', code: 'QUERY_REFUSED', message });
}

/** What is no change either, so that writing is no way to run it. */
function refusedRead(message: string): RequestFailure {
  return new RequestFailure({ kind: 'refused', code: 'QUERY_NOT_READ_ONLY', message });
}

/** By its first word, because its kind is known only when it is prepared. */
function refusedText(sql: string, reason: string): RequestFailure {
  const isNever =
    /^(?:\s|--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:ATTACH|CALL|CHECKPOINT|COPY|DEALLOCATE|DETACH|EXECUTE|EXPORT|IMPORT|INSTALL|LOAD|PRAGMA|PREPARE|RESET|SET|USE)\b/i.test(
      sql,
    );
  return isNever ? neverRun() : textual(reason);
}

function neverRun(): RequestFailure {
  return refused(
    'This kind of statement is never run here: it changes the connection, loads code or reaches for files. Send a query, or a statement that changes tables where writing is allowed.',
  );
}

function textual(reason: string): RequestFailure {
  return notReadOnly(reason);
}

function notReadOnly(reason: string): RequestFailure {
  return new RequestFailure({
    kind: 'refused',
    code: 'QUERY_NOT_READ_ONLY',
    message: `${reason} This call may only read: send one query.`,
  });
}
