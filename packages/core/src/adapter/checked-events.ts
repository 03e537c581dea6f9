import { AskemaError } from '../errors/askema-error.ts';
import type { Row, Value } from '../values/value.ts';
import type { ResultColumn, ResultEvent } from './adapter-spec.ts';
import { raceSignal } from './call-limits.ts';

export interface CheckOptions {
  /** The adapter's name, for messages. */
  readonly adapter: string;
  readonly maxRows: number;
  readonly maxBytes: number;
  /** Fires when waiting for the executor must end; its reason is the error. */
  readonly stopped: AbortSignal;
}

/**
 * What an executor yields, held to its contract: `columns` once and first, rows as wide as the columns, `end` last. An
 * executor that yields more than the caps is cut. Leaving it before its end calls `return()` on its iterator, and so does
 * `stopped` while nobody asks for the next event: a reader who stands still must not hold the connection.
 *
 * Rejects with `CONTRACT_MISMATCH`, with the reason of `stopped`, or with what the executor throws.
 */
export async function* checkedEvents(
  events: AsyncIterable<ResultEvent>,
  options: CheckOptions,
): AsyncGenerator<ResultEvent, void, void> {
  const iterator = events[Symbol.asyncIterator]();
  let over = false;
  let isPulling = false;
  const pull = async (): Promise<ResultEvent | undefined> => {
    isPulling = true;
    const next = await raceSignal(iterator.next(), options.stopped);
    isPulling = false;
    over = next.done === true;
    return next.done === true ? undefined : next.value;
  };
  const onStopped = (): void => {
    if (!isPulling && !over) void leave(iterator);
  };
  options.stopped.addEventListener('abort', onStopped, { once: true });
  try {
    yield* check(pull, options);
  } finally {
    options.stopped.removeEventListener('abort', onStopped);
    if (!over) await raceSignal(leave(iterator), options.stopped).catch(() => undefined);
  }
}

async function* check(
  pull: () => Promise<ResultEvent | undefined>,
  { adapter, maxRows, maxBytes }: CheckOptions,
): AsyncGenerator<ResultEvent, void, void> {
  const columns = await firstColumns(pull, adapter);
  yield { type: 'columns', columns };
  const cutAt = createCaps(columns.length, maxRows, maxBytes, adapter);
  for (let event = await pull(); event !== undefined; event = await pull()) {
    if (event.type === 'columns') throw broken(adapter, 'yielded `columns` a second time');
    if (event.type === 'end') {
      const further = await pull();
      if (further !== undefined) throw broken(adapter, `yielded \`${further.type}\` after \`end\``);
      yield event;
      return;
    }
    const cut = cutAt(event.rows);
    if (cut === undefined) {
      yield event;
      continue;
    }
    if (cut.index > 0) yield { type: 'rows', rows: event.rows.slice(0, cut.index) };
    yield { type: 'end', truncated: cut.by };
    return;
  }
  throw broken(adapter, 'stopped without `end`, so that nobody knows whether the result is whole');
}

async function firstColumns(
  pull: () => Promise<ResultEvent | undefined>,
  adapter: string,
): Promise<readonly ResultColumn[]> {
  const first = await pull();
  if (first?.type === 'columns') return first.columns;
  throw broken(adapter, first === undefined ? 'yielded nothing' : `yielded \`${first.type}\` before \`columns\``);
}

/** Counts the rows of all batches, and says which row of a batch is the first beyond a cap. */
function createCaps(
  width: number,
  maxRows: number,
  maxBytes: number,
  adapter: string,
): (rows: readonly Row[]) => { readonly index: number; readonly by: 'rows' | 'bytes' } | undefined {
  let count = 0;
  let bytes = 0;
  return (rows) => {
    for (const [index, row] of rows.entries()) {
      if (row.length !== width) throw broken(adapter, `yielded a row of ${row.length} values for ${width} columns`);
      if (count >= maxRows) return { index, by: 'rows' };
      bytes += leastBytes(row);
      if (bytes > maxBytes) return { index, by: 'bytes' };
      count += 1;
    }
    return undefined;
  };
}

/** What leaving throws is nobody's concern any more. */
async function leave(iterator: AsyncIterator<ResultEvent>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {
    // The result or the error that made us leave is what counts.
  }
}

/** At most what the adapter counts, so that the backstop never cuts before an adapter that keeps its cap. */
function leastBytes(row: Row): number {
  let bytes = 0;
  for (const value of row) bytes += leastBytesOf(value);
  return bytes;
}

function leastBytesOf(value: Value): number {
  if (typeof value === 'string') return value.length;
  return value instanceof Uint8Array ? value.byteLength : 0;
}

function broken(adapter: string, what: string): AskemaError {
  return new AskemaError(
    'CONTRACT_MISMATCH',
    `The executor of the adapter ${JSON.stringify(adapter)} ${what}. It must yield \`columns\` once, \`rows\` any number of times, then \`end\`: correct the adapter (describeAdapter of @askema/testkit tests this).`,
  );
}
