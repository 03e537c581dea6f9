import {
  AskemaError,
  boundedRows,
  type CallLimits,
  type ExecuteOptions,
  type Parameter,
  type QueryExecutor,
  type ResultEvent,
  type Row,
  rowBytes,
  startLimits,
  throwIfNotWritable,
} from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import { statementKind } from '@askema/sql';
import type { Prepared } from './connection/prepare-query.ts';
import type { SessionPool } from './connection/session-pool.ts';
import { openTransaction, type Transaction, type TransactionRequest } from './connection/transaction.ts';
import { isAboutNames, isServerError, statementFailure } from './errors/statement-failure.ts';
import { knownNames } from './known-names.ts';
import { refusalOf } from './refusal.ts';
import type { DecodeCell } from './values/decode-cell.ts';
import { type DescribedColumns, describeColumns } from './values/describe-columns.ts';
import { volatileFunctionsQuery } from './volatile-functions.ts';

/** Where and as whom statements run. */
export type ExecutionScope = Pick<TransactionRequest, 'searchPath' | 'role'>;

/** Rows of the first and of the further batches. */
const FIRST_ROWS = 100;
const MORE_ROWS = 1_000;

/** Bytes come as two digits each; the other types need no more than their text. */
const WIRE_FACTOR = 2;
const WIRE_SLACK_BYTES = 64 * 1024;

/** Runs statements in transactions; see `QueryExecutor` of core. */
export function createExecutor(pool: SessionPool, scope: ExecutionScope): QueryExecutor {
  return { execute: (sql, execute) => executeStatement(pool, scope, sql, execute) };
}

async function* executeStatement(
  pool: SessionPool,
  scope: ExecutionScope,
  sql: string,
  execute: ExecuteOptions,
): AsyncGenerator<ResultEvent, void, void> {
  const { access, timeoutMs, context } = execute;
  throwIfNotWritable(pool.options, access, "it with `postgres({ …, access: 'write' })`");
  const limits = startLimits({ timeoutMs, signal: context.signal, what: 'The query', sql });
  try {
    limits.throwIfOver();
    const parameters = encodeParameters(execute.parameters);
    const query = access === 'read' ? volatileFunctionsQuery(sql) : undefined;
    const transaction = await openTransaction(pool, { ...scope, access, query }, limits);
    try {
      yield* runStatement(transaction, sql, parameters, execute, limits);
    } catch (thrown) {
      const names = isAboutNames(thrown) ? await knownNames(pool, transaction, limits) : undefined;
      throw statementFailure(thrown, { sql, pool, limits, timeoutMs, names });
    } finally {
      await transaction.close();
    }
  } finally {
    limits.release();
  }
}

async function* runStatement(
  transaction: Transaction,
  sql: string,
  parameters: readonly (string | Buffer | null)[],
  execute: ExecuteOptions,
  limits: CallLimits,
): AsyncGenerator<ResultEvent, void, void> {
  const { session } = transaction;
  const described = await prepareStatement(transaction, sql, execute, limits);
  session.maxMessageBytes = execute.maxBytes * WIRE_FACTOR + WIRE_SLACK_BYTES;
  const { columns, decoders } = described;
  const caps = { columns, maxRows: execute.maxRows, maxBytes: execute.maxBytes };
  if (statementKind(sql, postgresDialect.lexer) === 'read') {
    let cut: 'bytes' | undefined;
    const onCut = (): void => {
      cut = 'bytes';
    };
    const batches = readBatches(transaction, parameters, decoders, execute.maxRows + 1, limits, onCut);
    yield* boundedRows(batches, { ...caps, cut: () => cut });
    return;
  }
  const changed = await runChange(transaction, parameters, decoders, execute, limits);
  yield* boundedRows([changed.rows], { ...caps, end: () => ({ affectedRows: changed.affectedRows }) });
}

/**
 * Parses the statement. What it may not do is refused here, but a mistake in its syntax is said first, with its place.
 */
async function prepareStatement(
  { session, rows }: Transaction,
  sql: string,
  { access }: ExecuteOptions,
  limits: CallLimits,
): Promise<DescribedColumns> {
  const refusal = refusalOf(sql, access, rows);
  let prepared: Prepared;
  try {
    prepared = await limits.race(session.prepare(sql));
  } catch (thrown) {
    const isSyntax = isServerError(thrown) && thrown.code === '42601' && !/multiple commands/.test(thrown.message);
    throw refusal === undefined || isSyntax || limits.error() !== undefined ? thrown : refusal;
  }
  if (refusal !== undefined) throw refusal;
  return limits.race(describeColumns(session, prepared.fields ?? []));
}

/** Batches of rows as they are asked for, at most `most` rows; a row that is larger than the cap ends them. */
async function* readBatches(
  transaction: Transaction,
  parameters: readonly (string | Buffer | null)[],
  decoders: readonly DecodeCell[],
  most: number,
  limits: CallLimits,
  onCut: () => void,
): AsyncGenerator<readonly Row[], void, void> {
  const { session } = transaction;
  const portal = session.portal(parameters, Math.min(FIRST_ROWS, most));
  transaction.portal = portal;
  let left = most;
  try {
    while (left > 0) {
      const batch = await limits.race(portal.next(Math.min(MORE_ROWS, left)));
      if (batch === undefined) return;
      left -= batch.length;
      yield batch.map((cells) => decodeRow(cells, decoders));
    }
  } catch (thrown) {
    if (!session.exceeded || limits.error() !== undefined) throw thrown;
    onCut();
  }
}

interface Change {
  readonly rows: readonly Row[];
  readonly affectedRows: number | undefined;
}

/** Runs to the end, whatever the caps: a change is whole. Rows that it returns beyond the caps are dropped. */
async function runChange(
  transaction: Transaction,
  parameters: readonly (string | Buffer | null)[],
  decoders: readonly DecodeCell[],
  { maxRows, maxBytes }: ExecuteOptions,
  limits: CallLimits,
): Promise<Change> {
  const { session } = transaction;
  const portal = session.portal(parameters, MORE_ROWS);
  transaction.portal = portal;
  const rows: Row[] = [];
  let bytes = 0;
  try {
    for (;;) {
      const batch = await limits.race(portal.next(MORE_ROWS));
      if (batch === undefined) break;
      for (const cells of batch) {
        // One more than the cap tells that it was passed.
        if (rows.length > maxRows || bytes > maxBytes) break;
        const row = decodeRow(cells, decoders);
        bytes += rowBytes(row);
        rows.push(row);
      }
    }
  } catch (thrown) {
    if (!session.exceeded || limits.error() !== undefined) throw thrown;
    throw new AskemaError(
      'QUERY_FAILED',
      `A row that the statement returns is larger than \`maxBytes\` (${maxBytes}); nothing was changed. Return less, or allow more bytes.`,
      { cause: thrown },
    );
  }
  await limits.race(portal.ready);
  await limits.race(transaction.commit());
  return { rows, affectedRows: affectedRows(portal.tag) };
}

/**
 * From the command tag (protocol-message-formats, CommandComplete): `INSERT 0 3`, `UPDATE 2`; other statements change
 * no rows.
 */
function affectedRows(tag: string | undefined): number | undefined {
  const count = /^(?:INSERT 0|UPDATE|DELETE|MERGE) (\d+)$/.exec(tag ?? '')?.[1];
  return count === undefined ? undefined : Number(count);
}

function decodeRow(cells: readonly (string | null)[], decoders: readonly DecodeCell[]): Row {
  return cells.map((cell, index) => (cell === null ? null : (decoders[index]?.(cell) ?? cell)));
}

/** Parameters as Bind sends them: text, whose type the server infers, and bytes. */
function encodeParameters(parameters: ExecuteOptions['parameters']): readonly (string | Buffer | null)[] {
  if (parameters === undefined) return [];
  if (!Array.isArray(parameters))
    throw new AskemaError(
      'INPUT_INVALID',
      'PostgreSQL has no parameters by name: write $1, $2, … and give `parameters` as a list in that order.',
    );
  return (parameters as readonly Parameter[]).map(encodeParameter);
}

function encodeParameter(value: Parameter, index: number): string | Buffer | null {
  if (value === null) return null;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const text = String(value);
  if (text.includes('\0'))
    throw new AskemaError(
      'INPUT_INVALID',
      `Parameter ${index + 1} has a NUL character in it, which no text of PostgreSQL can hold; remove it.`,
    );
  return text;
}
