import type { Row } from '../values/value.ts';
import type { ResultColumn, ResultEnd, ResultEvent } from './adapter-spec.ts';

/** A result as it comes. Only the batch at hand is held, and the next one is fetched when it is asked for. */
export interface RowStream extends AsyncIterable<readonly Row[]>, AsyncDisposable {
  readonly columns: readonly ResultColumn[];
  /** How the result ended; undefined until the last row was taken. */
  readonly end: ResultEnd | undefined;
  /** Stops the statement on the server, as leaving the loop does. */
  close(): Promise<void>;
}

/**
 * The events of one statement as a {@link RowStream}; resolves when the columns are known. The rows can be read once.
 *
 * Rejects with what `events` rejects with.
 */
export async function rowStream(events: AsyncGenerator<ResultEvent, void, void>): Promise<RowStream> {
  const started = performance.now();
  const first = await events.next();
  const columns = first.value?.type === 'columns' ? first.value.columns : [];
  let end: ResultEnd | undefined;
  const batches = (async function* (): AsyncGenerator<readonly Row[], void, void> {
    for await (const event of events) {
      if (event.type === 'rows') yield event.rows;
      if (event.type !== 'end') continue;
      const { type: _, ...figures } = event;
      end = { ...figures, elapsedMs: performance.now() - started };
    }
  })();
  const close = async (): Promise<void> => {
    await events.return();
  };
  return {
    columns,
    get end() {
      return end;
    },
    close,
    [Symbol.asyncIterator]: () => batches,
    [Symbol.asyncDispose]: close,
  };
}
