import { AskemaError, boundedRows, type ResultEvent, type Row, type Value } from '@askema/core';
import { type ChangeOptions, changeEvents } from './change-events.ts';

interface ResultOptions<Cell> extends ChangeOptions {
  /** The statement only reads: its rows are handed over as they come, and nothing is committed. */
  readonly reads: boolean;
  /** Asked when the rows have ended: one was too large to be collected, and they were cut there. */
  readonly isCut: () => boolean;
  /** How the cells of each column are read that are not NULL; what has no decoder stays. */
  readonly decoders: readonly (((cell: Cell) => Value) | undefined)[];
}

/** The events of a statement of either kind: see `boundedRows` of core and {@link changeEvents}. */
export function resultEvents<Cell extends Value>(
  batches: AsyncIterable<readonly (readonly (Cell | null)[])[]>,
  { reads, isCut, commit, decoders, ...caps }: ResultOptions<Cell>,
): AsyncIterable<ResultEvent> {
  const rows = decoded(batches, decoders);
  if (reads) return boundedRows(rows, { ...caps, cut: () => (isCut() ? 'bytes' : undefined) });
  return changeEvents(rows, {
    ...caps,
    commit: async (returned) => {
      if (!isCut()) return commit(returned);
      throw new AskemaError(
        'QUERY_FAILED',
        `A row that the statement returns is larger than \`maxBytes\` (${caps.maxBytes}); nothing was changed. Return less, or allow more bytes.`,
      );
    },
  });
}

async function* decoded<Cell extends Value>(
  batches: AsyncIterable<readonly (readonly (Cell | null)[])[]>,
  decoders: ResultOptions<Cell>['decoders'],
): AsyncGenerator<readonly Row[], void, void> {
  const decode = (cell: Cell | null, column: number): Value =>
    cell === null ? null : (decoders[column]?.(cell) ?? cell);
  for await (const batch of batches) yield batch.map((cells) => cells.map(decode));
}
