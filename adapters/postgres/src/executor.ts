import { executorOf, positionalParameters, prepareGuarded, resultEvents, streamCall } from '@askema/adapter-kit';
import { AskemaError, type ExecuteOptions, type Parameter, type QueryExecutor, type ResultEvent } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import { statementKind } from '@askema/sql';
import type { Database } from './connection/database.ts';
import { MAX_ERROR_BYTES } from './connection/message-guard.ts';
import type { PortalQuery } from './connection/portal-query.ts';
import { type Transaction, transactionCall } from './connection/transaction.ts';
import type { WireRow } from './connection/wire.ts';
import { isSyntaxError } from './errors/statement-failure.ts';
import { refusalOf } from './refusal.ts';
import { refuseFilteredPlan } from './refuse-filtered-plan.ts';
import { describeColumns } from './values/describe-columns.ts';

/** Rows of the first and of the further batches. */
const FIRST_ROWS = 100;
const MORE_ROWS = 1_000;

/** Bytes come as two digits each; the other types need no more than their text. */
const WIRE_FACTOR = 2;
const WIRE_SLACK_BYTES = 64 * 1024;

/** Runs statements in transactions; see `QueryExecutor` of core. */
export function createExecutor(database: Database): QueryExecutor {
  return executorOf(database.options, "it with `postgres({ …, access: 'write' })`", (sql, execute, limits) => {
    const { access } = execute;
    const parameters = encodeParameters(execute.parameters);
    const call = transactionCall(database, { ...limits, access });
    return streamCall(database.pool, call, (open) => runStatement(database, open, sql, parameters, execute));
  });
}

async function* runStatement(
  { knownTypes, knownOrigins }: Database,
  open: Transaction,
  sql: string,
  parameters: readonly (string | Buffer | null)[],
  { access, maxRows, maxBytes }: ExecuteOptions,
): AsyncGenerator<ResultEvent, void, void> {
  const { session, limits } = open;
  // What may not run is refused here, but a mistake in the syntax is said first, with its place.
  const prepared = await prepareGuarded(
    await refusalOf(sql, access, access === 'read' ? open.begun : undefined),
    () => limits.race(session.prepare(sql)),
    (thrown) => isSyntaxError(thrown) || limits.error() !== undefined,
  );
  if (access === 'read') await limits.race(refuseFilteredPlan(session, sql));
  const known = { types: knownTypes, origins: knownOrigins.at(open.begun.snapshot) };
  const { columns, decoders } = await limits.race(describeColumns(session, prepared.fields ?? [], known));
  session.maxMessageBytes = maxBytes * WIRE_FACTOR + WIRE_SLACK_BYTES;
  const reads = statementKind(sql, postgresDialect.lexer) === 'read';
  const most = reads ? maxRows + 1 : Number.POSITIVE_INFINITY;
  const portal = session.portal(parameters, reads ? Math.min(FIRST_ROWS, most) : MORE_ROWS);
  const commit = async (): Promise<number | undefined> => {
    await limits.race(portal.ready);
    await limits.race(session.commit());
    return affectedRows(portal.tag);
  };
  const isCut = (): boolean => session.exceeded === 'row';
  const caps = { columns, maxRows, maxBytes };
  yield* resultEvents(readBatches(open, portal, most), { ...caps, decoders, reads, isCut, commit });
}

/** Batches of rows as they are asked for, at most `most` rows; one that is larger than the cap ends them. */
async function* readBatches(
  { session, limits }: Transaction,
  portal: PortalQuery,
  most: number,
): AsyncGenerator<readonly WireRow[], void, void> {
  let left = most;
  try {
    while (left > 0) {
      const batch = await limits.race(portal.next(Math.min(MORE_ROWS, left)));
      if (batch === undefined) return;
      left -= batch.length;
      yield batch;
    }
  } catch (thrown) {
    if (session.exceeded === undefined || limits.error() !== undefined) throw thrown;
    if (session.exceeded === 'error')
      throw new AskemaError(
        'QUERY_FAILED',
        `The server answered with an error of more than ${MAX_ERROR_BYTES} bytes, which was not read; the connection was ended.`,
      );
  }
}

/**
 * From the command tag (protocol-message-formats, CommandComplete): `INSERT 0 3`, `UPDATE 2`; other statements change
 * no rows.
 */
function affectedRows(tag: string | undefined): number | undefined {
  const count = /^(?:INSERT 0|UPDATE|DELETE|MERGE) (\d+)$/.exec(tag ?? '')?.[1];
  return count === undefined ? undefined : Number(count);
}

/** Parameters as Bind sends them: text, whose type the server infers, and bytes. */
function encodeParameters(parameters: ExecuteOptions['parameters']): readonly (string | Buffer | null)[] {
  return positionalParameters(parameters, 'PostgreSQL', '$1, $2, …').map(encodeParameter);
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
