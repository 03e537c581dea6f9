import { AskemaError, type CallLimits, isAskemaError, type ResultColumn, type Row } from '@askema/core';
import { connectionError } from '../errors/connection-error.ts';
import { isSessionGone, readFailure } from '../errors/driver-error.ts';
import { queryError } from '../errors/query-error.ts';
import type { ResolvedOptions } from '../options.ts';
import { bindParameters } from './bindings.ts';
import { createRowDecoder, toColumns } from './decode.ts';
import type { DriverStatement } from './driver.ts';
import type { KnownNames } from './known-names.ts';
import type { Link } from './link.ts';
import { createLinkPool } from './link-pool.ts';
import { openSession } from './open-session.ts';
import { readPieces } from './read-pieces.ts';
import type { SessionPlace, SessionQuery, SessionStream, SnowflakeSession } from './session.ts';
import { queryTagOf, startStatement } from './statement.ts';
import { isDml, keepsSession } from './statement-type.ts';
import type { WireResult } from './wire.ts';

/** Rows of `query` where no count is given. */
const DEFAULT_MAX_ROWS = 100_000;

export interface SessionSettings {
  /** Names that exist, for "did you mean". */
  readonly names?: Pick<KnownNames, 'read'> | undefined;
}

/** A result that waits to be read on the session that made it. */
interface OpenResult {
  readonly link: Link;
  readonly statement: DriverStatement;
  readonly result: WireResult;
  /** Gives the session back; only the first call counts. */
  leave(state: 'healthy' | 'doubtful'): void;
}

/** See {@link SnowflakeSession}. Nothing is loaded or connected yet. */
export function createSession(options: ResolvedOptions, settings: SessionSettings = {}): SnowflakeSession {
  const pool = createLinkPool(options.poolSize, (limits) => openSession(options, limits));
  const running = new Set<(reason: AskemaError) => Promise<void>>();
  let closing: Promise<void> | undefined;

  const open = async (sql: string, query: SessionQuery, further: StatementSettings): Promise<OpenResult> => {
    const bound = bindParameters(sql, query.parameters);
    // Sessions that have ended while nobody used them are found out one by one.
    for (let tries = options.poolSize; ; tries -= 1) {
      if (closing !== undefined) throw closedError(options);
      const link = await pool.take(query.limits);
      const opened = await run(link, { ...bound, ...further }, sql, query, tries > 0);
      if (opened !== 'gone') return opened;
    }
  };

  const run = async (
    link: Link,
    request: Omit<Parameters<typeof startStatement>[1], 'parameters'> & StatementSettings,
    sql: string,
    { limits, context }: SessionQuery,
    mayBeGone: boolean,
  ): Promise<OpenResult | 'gone'> => {
    const parameters = { ...parametersOf(limits, queryTagOf(context, options.queryTag)), ...request.parameters };
    const sent = startStatement(link, { ...request, parameters });
    let isLeft = false;
    const leave = (state: 'healthy' | 'doubtful'): void => {
      if (isLeft) return;
      isLeft = true;
      running.delete(stop);
      pool.give(link, state);
    };
    let stopping: Promise<void> | undefined;
    const stop = (reason: AskemaError): Promise<void> => {
      if (!isLeft) stopping ??= sent.stop(reason).finally(() => leave('doubtful'));
      return stopping ?? Promise.resolve();
    };
    running.add(stop);
    limits.onOver(() => void stop(limits.error() as AskemaError));
    try {
      const statement = await sent.completed;
      const { result } = link.http;
      if (result !== undefined) return { link, statement, result, leave };
      leave('doubtful');
      throw new AskemaError('DATABASE_UNAVAILABLE', 'Snowflake answered without a result.', { details: { sql } });
    } catch (error) {
      if (isAskemaError(error)) throw overError(error, link, options);
      const failure = readFailure(error, link.http.failure, link.secrets());
      const isGone = isSessionGone(failure);
      leave(failure.refused && !isGone ? 'healthy' : 'doubtful');
      if (isGone && mayBeGone) return 'gone';
      const refused = queryError({ sql, failure, options });
      // A statement of our own does not look for names again.
      if (refused.details.errorClass !== 'identifier' || /^SHOW\b/i.test(sql)) throw refused;
      const names = await settings.names?.read({ query: ask, place }, { limits, context });
      throw queryError({ sql, failure, options, names });
    }
  };

  const stream = async (sql: string, query: SessionQuery, further: StatementSettings = {}): Promise<SessionStream> => {
    const opened = await open(sql, query, further);
    const { result, link, leave } = opened;
    const { statementTypeId: type, queryId } = result;
    const columns = toColumns(result.columns);
    const state = keepsSession(type) ? 'healthy' : 'doubtful';
    const explain = (error: unknown): AskemaError => {
      if (isAskemaError(error)) return overError(error, link, options);
      const failure = readFailure(error, link.http.failure, link.secrets());
      return queryError({ sql, failure, options });
    };
    const pieces = readPieces(opened, {
      limits: query.limits,
      decode: createRowDecoder(result.columns),
      done: (ok) => leave(ok ? state : 'doubtful'),
      explain,
    });
    if (type === undefined || !isDml(type)) return { columns, queryId, rows: pieces };
    const rows = await collect(pieces, 10);
    return { columns, queryId, affectedRows: affectedRowsOf(columns, rows[0]), rows: batchesOf(rows) };
  };

  const place: SnowflakeSession['place'] = async (limits) => {
    if (closing !== undefined) throw closedError(options);
    const link = await pool.take(limits);
    const found = placeOf(link);
    pool.give(link, 'healthy');
    return found;
  };

  const ask: SnowflakeSession['query'] = async (sql, { maxRows = DEFAULT_MAX_ROWS, ...own }) => {
    const { columns, queryId, rows } = await stream(sql, own);
    const kept = await collect(rows, maxRows + 1);
    return { columns, queryId, rows: kept.slice(0, maxRows), truncated: kept.length > maxRows };
  };

  return {
    stream,
    query: ask,
    place,
    async describe(sql, query) {
      const { result, leave } = await open(sql, query, { describeOnly: true });
      leave('healthy');
      return { statementTypeId: result.statementTypeId, columns: toColumns(result.columns) };
    },
    close() {
      closing ??= (async () => {
        const error = closedError(options);
        await Promise.all([...running].map((stop) => stop(error)));
        await pool.close();
      })();
      return closing;
    },
  };
}

interface StatementSettings {
  readonly describeOnly?: boolean | undefined;
  readonly parameters?: Readonly<Record<string, string | number | boolean>> | undefined;
}

/** One statement, its time and its tag: for this statement alone, so that no session remembers them. */
function parametersOf(limits: CallLimits, tag: string): Record<string, string | number | boolean> {
  const seconds = Math.ceil(limits.remainingMs() / 1000) + 1;
  return {
    MULTI_STATEMENT_COUNT: 1,
    QUERY_TAG: tag,
    ...(Number.isFinite(seconds) && { STATEMENT_TIMEOUT_IN_SECONDS: seconds }),
  };
}

/** At the deadline, a server that could not be reached is the better explanation. */
function overError(error: AskemaError, { http }: Link, options: ResolvedOptions): AskemaError {
  if (error.code !== 'QUERY_TIMEOUT' || http.failure === undefined) return error;
  return connectionError(http.failure, options, `${error.message.split(' did not end')[0]} (until its time was over)`);
}

function closedError({ name }: ResolvedOptions): AskemaError {
  return new AskemaError('DATABASE_CLOSED', `The adapter ${JSON.stringify(name)} is closed; open it again to use it.`);
}

async function collect(batches: AsyncIterable<readonly Row[]>, most: number): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of batches) {
    for (const row of batch) if (rows.length < most) rows.push(row);
    if (rows.length >= most) break;
  }
  return rows;
}

async function* batchesOf(rows: readonly Row[]): AsyncGenerator<readonly Row[], void, void> {
  if (rows.length > 0) yield rows;
}

/** A statement that writes answers with one row of counts: `number of rows inserted`, …; rows joined several times are none of their own. */
function affectedRowsOf(columns: readonly ResultColumn[], row: Row | undefined): number | undefined {
  if (row === undefined) return undefined;
  let sum = 0;
  for (const [index, { name }] of columns.entries()) {
    const count = row[index];
    if (/^number of rows/i.test(name) && typeof count === 'number') sum += count;
  }
  return sum;
}

function placeOf({ http }: Link): SessionPlace {
  const { sessionInfo, serverVersion } = http.login ?? {};
  return {
    database: sessionInfo?.databaseName ?? undefined,
    schema: sessionInfo?.schemaName ?? undefined,
    warehouse: sessionInfo?.warehouseName ?? undefined,
    role: sessionInfo?.roleName ?? undefined,
    serverVersion,
  };
}
