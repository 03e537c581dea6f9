import type { CallContext } from '../context/call-context.ts';
import { createCallContext } from '../context/call-context.ts';
import { AskemaError, abortedError, isAskemaError, toAskemaError } from '../errors/askema-error.ts';
import { checkWhole, MAX_TIMER_MS } from '../errors/check-option.ts';
import type { Row } from '../values/value.ts';
import type { AdapterSpec, ExecuteOptions, QueryOptions, QueryResult, ResultEnd, ResultEvent } from './adapter-spec.ts';
import { QUERY_DEFAULTS } from './adapter-spec.ts';
import { throwIfNotWritable, throwIfTooLong } from './check-access.ts';
import { checkedEvents } from './checked-events.ts';
import { classifyError } from './classify-error.ts';
import { type RowStream, rowStream } from './row-stream.ts';

/**
 * An executor ends its statement by itself at the deadline and on abort. One that does not is left after this time
 * more; it is a backstop for a broken adapter, long enough not to get ahead of one that is only slow.
 */
export const STOP_GRACE_MS = 2_000;

/** What one query must know of the adapter that it runs on. */
export interface QueryHost {
  readonly spec: AdapterSpec;
  /** Fires when the adapter has been closed. */
  readonly closed: AbortSignal;
}

/** Nothing is held, so nothing needs a cap. */
const STREAM_DEFAULTS = {
  ...QUERY_DEFAULTS,
  maxRows: Number.MAX_SAFE_INTEGER,
  maxBytes: Number.MAX_SAFE_INTEGER,
} as const;

/** Runs a statement and collects its whole result; see `Adapter.query`. */
export async function runQuery(host: QueryHost, sql: string, options: QueryOptions = {}): Promise<QueryResult> {
  const stream = await openStream(host, sql, options, QUERY_DEFAULTS);
  const rows: Row[] = [];
  for await (const batch of stream) for (const row of batch) rows.push(row);
  return { ...(stream.end as ResultEnd), columns: stream.columns, rows };
}

/** Runs a statement and hands its rows over as they come; see `Adapter.stream`. */
export function streamQuery(host: QueryHost, sql: string, options: QueryOptions = {}): Promise<RowStream> {
  return openStream(host, sql, options, STREAM_DEFAULTS);
}

async function openStream(
  host: QueryHost,
  sql: string,
  options: QueryOptions,
  defaults: typeof QUERY_DEFAULTS | typeof STREAM_DEFAULTS,
): Promise<RowStream> {
  const context = options.context ?? createCallContext();
  const execute = resolveOptions(host.spec, options, context, defaults);
  throwIfClosed(host);
  throwIfTooLong(sql, execute.access);
  if (context.signal?.aborted) throw abortedError('The query', context.signal.reason);
  return rowStream(statementEvents(host, sql, execute));
}

/** The events of a statement with errors of ours; its listener is told once, however it ends. */
async function* statementEvents(
  host: QueryHost,
  sql: string,
  execute: ExecuteOptions,
): AsyncGenerator<ResultEvent, void, void> {
  const { spec } = host;
  const { maxRows, maxBytes, context } = execute;
  const started = performance.now();
  const stop = createStop(host, execute);
  let rows = 0;
  let figures: object = {};
  try {
    const { stopped } = stop;
    const options = { adapter: spec.name, maxRows, maxBytes, stopped };
    for await (const event of checkedEvents(spec.executor.execute(sql, execute), options)) {
      if (event.type === 'rows') rows += event.rows.length;
      if (event.type === 'end') {
        const { type: _, ...end } = event;
        figures = end;
      }
      yield event;
    }
  } catch (thrown) {
    const error = asQueryError(host, sql, context, thrown);
    figures = { error: error.code };
    throw error;
  } finally {
    stop.release();
    emitQuery(context, { ...figures, elapsedMs: performance.now() - started, rows });
  }
}

/** @throws AskemaError `DATABASE_CLOSED`. */
export function throwIfClosed({ spec, closed }: QueryHost): void {
  if (closed.aborted) throw closedError(spec);
}

function resolveOptions(
  spec: AdapterSpec,
  options: QueryOptions,
  context: CallContext,
  defaults: typeof QUERY_DEFAULTS | typeof STREAM_DEFAULTS,
): ExecuteOptions {
  const execute: ExecuteOptions = {
    maxRows: options.maxRows ?? defaults.maxRows,
    maxBytes: options.maxBytes ?? defaults.maxBytes,
    timeoutMs: options.timeoutMs ?? defaults.timeoutMs,
    access: options.access ?? defaults.access,
    parameters: options.parameters,
    context,
  };
  checkWhole('maxRows', execute.maxRows);
  checkWhole('maxBytes', execute.maxBytes);
  checkWhole('timeoutMs', execute.timeoutMs, 1, MAX_TIMEOUT_MS);
  throwIfNotWritable(spec, execute.access);
  return execute;
}

/** The longest that a timer of the runtime, with the grace on top, can wait. */
const MAX_TIMEOUT_MS = MAX_TIMER_MS - STOP_GRACE_MS;

/** A signal that fires, with the error, when an executor has not ended by itself in time. */
function createStop(
  { spec, closed }: QueryHost,
  { timeoutMs, context }: ExecuteOptions,
): { readonly stopped: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const stopWith = (error: AskemaError): void => controller.abort(error);
  const deadline = setTimeout(() => {
    const message = `The statement did not end within ${timeoutMs} ms, and the adapter ${JSON.stringify(spec.name)} did not stop it; it may still run.`;
    stopWith(new AskemaError('QUERY_TIMEOUT', message, { details: { errorClass: 'timeout' } }));
  }, timeoutMs + STOP_GRACE_MS);
  let abortGrace: ReturnType<typeof setTimeout> | undefined;
  const onAbort = (): void => {
    abortGrace ??= setTimeout(() => stopWith(abortedError('The query', context.signal?.reason)), STOP_GRACE_MS);
  };
  const onClosed = (): void => stopWith(closedError(spec));
  context.signal?.addEventListener('abort', onAbort);
  closed.addEventListener('abort', onClosed);
  const release = (): void => {
    clearTimeout(deadline);
    clearTimeout(abortGrace);
    context.signal?.removeEventListener('abort', onAbort);
    closed.removeEventListener('abort', onClosed);
  };
  return { stopped: controller.signal, release };
}

/**
 * One of ours as it is; an abort as `ABORTED`; a driver's error as `QUERY_FAILED` with the class that the dialect gives
 * it.
 */
function asQueryError({ spec, closed }: QueryHost, sql: string, context: CallContext, thrown: unknown): AskemaError {
  if (isAskemaError(thrown)) return closed.aborted && thrown.code === 'ABORTED' ? closedError(spec) : thrown;
  if (closed.aborted) return closedError(spec, thrown);
  if (context.signal?.aborted) return abortedError('The query', thrown);
  if (!(thrown instanceof Error) || thrown instanceof TypeError || thrown.name === 'AbortError')
    return toAskemaError(thrown);
  const code = (thrown as { readonly code?: unknown }).code;
  const vendorCode = typeof code === 'string' || typeof code === 'number' ? String(code) : undefined;
  const { errorClass } = classifyError(spec.dialect, { vendorCode, message: thrown.message });
  return new AskemaError('QUERY_FAILED', `${spec.dialect.displayName} refused the statement: ${thrown.message}`, {
    details: { sql, errorClass, vendorCode },
    cause: thrown,
  });
}

function closedError(spec: AdapterSpec, cause?: unknown): AskemaError {
  const message = `The adapter ${JSON.stringify(spec.name)} is closed; open it again to use it.`;
  return new AskemaError('DATABASE_CLOSED', message, cause === undefined ? {} : { cause });
}

function emitQuery(context: CallContext, data: Readonly<Record<string, unknown>>): void {
  try {
    context.emit?.({ type: 'query', data });
  } catch {
    // A listener that throws must not turn an answer into an error (EventSink says the same).
  }
}
