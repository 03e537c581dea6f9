import type { AskemaError, CallLimits, Row } from '@askema/core';
import type { DriverStatement } from './driver.ts';
import type { WireResult } from './wire.ts';

interface Reading {
  readonly limits: CallLimits;
  readonly decode: (row: readonly (string | null)[]) => Row;
  /** Called once, at the end or when the reader leaves. */
  readonly done: (ok: boolean) => void;
  readonly explain: (error: unknown) => AskemaError;
}

/** Rows that are handed over at once. */
const BATCH_ROWS = 500;

/**
 * The rows of a result, piece by piece: a chunk is asked for when the rows before it have been taken, and never sooner. Leaving loads nothing
 * more.
 */
export async function* readPieces(
  { statement, result }: { readonly statement: DriverStatement; readonly result: WireResult },
  { limits, decode, done, explain }: Reading,
): AsyncGenerator<readonly Row[], void, void> {
  let ok = true;
  try {
    let start = 0;
    for (const count of result.pieces) {
      if (count === 0) continue;
      yield* readPiece(statement.streamRows({ start, end: start + count - 1 }), decode, limits);
      start += count;
    }
  } catch (error) {
    ok = false;
    throw explain(error);
  } finally {
    done(ok);
  }
}

async function* readPiece(
  piece: AsyncIterable<readonly (string | null)[]>,
  decode: Reading['decode'],
  limits: CallLimits,
): AsyncGenerator<readonly Row[], void, void> {
  const iterator = piece[Symbol.asyncIterator]();
  let batch: Row[] = [];
  let isOver = false;
  try {
    for (;;) {
      const next = batch.length === 0 ? await limits.race(iterator.next()) : await iterator.next();
      limits.throwIfOver();
      if (next.done === true) break;
      batch.push(decode(next.value));
      if (batch.length < BATCH_ROWS) continue;
      yield batch;
      batch = [];
    }
    isOver = true;
  } finally {
    // A chunk that does not come would keep `return` waiting.
    if (!isOver) void iterator.return?.(undefined)?.catch(() => undefined);
  }
  if (batch.length > 0) yield batch;
}
