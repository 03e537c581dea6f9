import { AskemaError, boundedRows, type ResultEvent, type Row } from '@askema/core';
import { type ChangeOptions, changeEvents } from './change-events.ts';

interface ResultOptions extends ChangeOptions {
  /** The statement only reads: its rows are handed over as they come, and nothing is committed. */
  readonly reads: boolean;
  /** Asked when the rows have ended: one was too large to be collected, and they were cut there. */
  readonly isCut: () => boolean;
}

/** The events of a statement of either kind: see `boundedRows` of core and {@link changeEvents}. */
export function resultEvents(
  batches: AsyncIterable<readonly Row[]>,
  { reads, isCut, commit, ...caps }: ResultOptions,
): AsyncIterable<ResultEvent> {
  if (reads) return boundedRows(batches, { ...caps, cut: () => (isCut() ? 'bytes' : undefined) });
  return changeEvents(batches, {
    ...caps,
    commit: async () => {
      if (!isCut()) return commit();
      throw new AskemaError(
        'QUERY_FAILED',
        `A row that the statement returns is larger than \`maxBytes\` (${caps.maxBytes}); nothing was changed. Return less, or allow more bytes.`,
      );
    },
  });
}
