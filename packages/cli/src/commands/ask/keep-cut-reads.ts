import {
  type Adapter,
  createCallContext,
  QUERY_DEFAULTS,
  type QueryOptions,
  type QueryResult,
  type ResultEvent,
  type Row,
  type RowStream,
  rowBytes,
  rowStream,
} from '@askema/core';

interface KeepOptions {
  /** The row cap of the queries whose rest is kept; others run as they are. */
  readonly maxRows: number;
  /** The row cap of what `stream` gives; undefined for none. */
  readonly streamedRows: number | undefined;
  /** The command's. That of a step stops the read while the step runs, and fires when the step has ended. */
  readonly signal: AbortSignal;
}

/** A read that was cut: what was shown of it, and how to go on. */
interface CutRead {
  readonly sql: string;
  readonly shown: readonly Row[];
  /** What came in one batch with the last row that was shown. */
  readonly beyond: readonly Row[];
  readonly batches: AsyncIterator<readonly Row[]>;
  readonly stream: RowStream;
}

/**
 * Keeps the read that was cut last open: `stream` of the same SQL gives the rows that were shown and goes on behind
 * them, so that a large result is computed once. The next query ends it, and it is not kept while another one runs: it
 * must not hold a connection that somebody waits for.
 */
export function keepCutReads(inner: Adapter, { maxRows, streamedRows, signal }: KeepOptions): Adapter {
  let kept: CutRead | undefined;
  let running = 0;
  const take = (): CutRead | undefined => {
    const taken = kept;
    kept = undefined;
    return taken;
  };
  const drop = async (): Promise<void> => take()?.stream.close();
  const read = async (sql: string, options: QueryOptions): Promise<QueryResult> => {
    const started = performance.now();
    const context = options.context ?? createCallContext();
    const step = untilReleased(context.signal);
    const stops = AbortSignal.any([signal, step.signal]);
    const caps = { maxRows: streamedRows, maxBytes: undefined };
    try {
      const stream = await inner.stream(sql, { ...options, ...caps, context: { ...context, signal: stops } });
      const { truncated, ...cut } = await readCut(stream, maxRows, options.maxBytes ?? QUERY_DEFAULTS.maxBytes);
      const result = { columns: stream.columns, rows: cut.shown, elapsedMs: performance.now() - started };
      if (truncated === undefined) return { ...result, ...stream.end };
      if (running > 1) await stream.close();
      else kept = { sql, stream, ...cut };
      return { ...result, truncated };
    } finally {
      step.release();
    }
  };
  return {
    ...inner,
    async query(sql, options = {}) {
      running += 1;
      try {
        await drop();
        const isKept = options.maxRows === maxRows && (options.access ?? 'read') === 'read';
        return await (isKept ? read(sql, options) : inner.query(sql, options));
      } finally {
        running -= 1;
      }
    },
    async stream(sql, options) {
      const found = take();
      // One that was stopped meanwhile, by its deadline for example, runs anew.
      const next = found?.sql === sql ? await found.batches.next().catch(() => undefined) : undefined;
      if (found !== undefined && next !== undefined) return rowStream(goOn(found, next));
      await found?.stream.close();
      return inner.stream(sql, options);
    },
    planner: {
      async check(sql, options) {
        await drop();
        return inner.planner.check(sql, options);
      },
    },
    async sampleValues(attributes, options) {
      await drop();
      return inner.sampleValues(attributes, options);
    },
  };
}

/** A signal that follows another one until it is released. */
function untilReleased(signal: AbortSignal | undefined): {
  readonly signal: AbortSignal;
  readonly release: () => void;
} {
  const controller = new AbortController();
  const follow = (): void => controller.abort(signal?.reason);
  if (signal?.aborted) follow();
  signal?.addEventListener('abort', follow);
  return { signal: controller.signal, release: () => signal?.removeEventListener('abort', follow) };
}

/** Reads until one row more would pass a cap. */
async function readCut(
  stream: RowStream,
  maxRows: number,
  maxBytes: number,
): Promise<Omit<CutRead, 'sql' | 'stream'> & { readonly truncated: 'rows' | 'bytes' | undefined }> {
  const batches = stream[Symbol.asyncIterator]();
  const shown: Row[] = [];
  let bytes = 0;
  for (let next = await batches.next(); next.done !== true; next = await batches.next()) {
    for (const [index, row] of next.value.entries()) {
      bytes += rowBytes(row);
      const truncated = shown.length >= maxRows ? 'rows' : bytes > maxBytes ? 'bytes' : undefined;
      if (truncated !== undefined) return { shown, beyond: next.value.slice(index), batches, truncated };
      shown.push(row);
    }
  }
  return { shown, beyond: [], batches, truncated: undefined };
}

async function* goOn(
  { shown, beyond, batches, stream }: CutRead,
  next: IteratorResult<readonly Row[]>,
): AsyncGenerator<ResultEvent, void, void> {
  try {
    yield { type: 'columns', columns: stream.columns };
    yield { type: 'rows', rows: shown };
    yield { type: 'rows', rows: beyond };
    for (let at = next; at.done !== true; at = await batches.next()) yield { type: 'rows', rows: at.value };
    yield { type: 'end', truncated: stream.end?.truncated };
  } finally {
    await stream.close();
  }
}
