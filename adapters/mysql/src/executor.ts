import {
  executorOf,
  notReadOnlyError,
  prepareGuarded,
  refuseText,
  resultEvents,
  streamCall,
} from '@askema/adapter-kit';
import type { Access, ExecuteOptions, QueryExecutor, ResultEvent } from '@askema/core';
import { statementKind } from '@askema/sql';
import { type Database, type Transaction, transactionCall } from './connection/call.ts';
import { isMissingFunction, isReadOnlyRefusal, isSyntaxError } from './errors/statement-failure.ts';
import { type ReadingRefusal, refuseReading } from './reading/refuse-reading.ts';
import { unopened } from './reading/user-routines.ts';
import { describeColumns } from './values/describe-columns.ts';

/** What the wire adds to the cells of a row. */
const WIRE_SLACK_BYTES = 64 * 1024;

/** Runs statements in transactions; see `QueryExecutor` of core. */
export function createExecutor(database: Database): QueryExecutor {
  return executorOf(database.options, "it with `mysql({ …, access: 'write' })`", (sql, execute, limits) => {
    const { access, maxRows } = execute;
    const call = transactionCall(database, { ...limits, access, maxRows: access === 'read' ? maxRows + 1 : undefined });
    return streamCall(database.pool, call, (open) => runStatement(database, open, sql, execute));
  });
}

async function* runStatement(
  database: Database,
  open: Transaction,
  sql: string,
  { access, maxRows, maxBytes, parameters }: ExecuteOptions,
): AsyncGenerator<ResultEvent, void, void> {
  const { session, limits } = open;
  const { dialect } = database.options;
  await prepareStatement(database, open, sql, access);
  const reader = session.run(parameters, maxBytes + WIRE_SLACK_BYTES);
  const { columns, decoders } = describeColumns(await limits.race(reader.columns), dialect);
  const kind = statementKind(sql, dialect.lexer);
  const commit = async (returned: number): Promise<number | undefined> => {
    await limits.race(session.query('COMMIT'));
    // With RETURNING the server gives the rows alone.
    return kind === 'write' ? (columns.length > 0 ? returned : reader.affectedRows()) : undefined;
  };
  const reads = kind === 'read';
  const isCut = reader.exceeded;
  yield* resultEvents(reader.batches(limits), { columns, decoders, maxRows, maxBytes, reads, isCut, commit });
}

/** What speaks against a statement where only reading is allowed, beyond its first words; see {@link refuseReading}. */
export async function readingRefusal(
  { options, namespace, routines }: Database,
  { session, limits }: Transaction,
  sql: string,
): Promise<ReadingRefusal | undefined> {
  const known = await limits.race(routines(session));
  return refuseReading(sql, options.dialect, known, namespace ?? options.database ?? '');
}

/**
 * Lets the server look at a statement, and refuses what may not run; a mistake in it is said first. What calls or reads
 * something that is not known to only read is not prepared: the server computes constant calls while it prepares.
 */
export async function prepareStatement(database: Database, open: Transaction, sql: string, access: Access) {
  const { dialect } = database.options;
  const { session, limits } = open;
  // By this text hide and mask ask whether definitions have changed.
  if (sql === dialect.probes.definitions) {
    const known = await limits.race(database.routines(session));
    return limits.race(session.prepare(sql.replaceAll('AND TRUE', `AND ${unopened(known, dialect)}`)));
  }
  const ofText = refuseText(sql, access, dialect);
  const reads = access === 'read';
  const refused = reads ? await readingRefusal(database, open, sql) : undefined;
  if (refused !== undefined && (refused.probe === undefined || ofText === undefined)) {
    // A function that is not there at all is no matter of reading.
    if (refused.probe !== undefined)
      await limits.race(session.prepare(refused.probe)).catch((thrown) => {
        if (isMissingFunction(thrown)) throw thrown;
      });
    throw ofText ?? refused.error;
  }
  const mayRead = ofText === undefined && reads;
  const prepared = await prepareGuarded(
    ofText,
    () => limits.race(session.prepare(sql)),
    (thrown) => limits.error() !== undefined || (mayRead ? !isReadOnlyRefusal(thrown) : isSyntaxError(thrown)),
  );
  if (reads && !prepared.hasColumns)
    throw notReadOnlyError(sql, `${dialect.displayName} names no columns of it: it may be no query.`, 0);
  return prepared;
}
