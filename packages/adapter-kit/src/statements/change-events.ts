import {
  boundedRows,
  type ExecuteOptions,
  type ResultColumn,
  type ResultEvent,
  type Row,
  rowBytes,
} from '@askema/core';

export interface ChangeOptions extends Pick<ExecuteOptions, 'maxRows' | 'maxBytes'> {
  readonly columns: readonly ResultColumn[];
  /**
   * Called when the statement has run to its end, with the number of rows that it has returned: commits, and says how
   * many rows were changed.
   */
  readonly commit: (returned: number) => Promise<number | undefined>;
}

/**
 * The events of a statement that changes data. It runs to its end whatever the caps, because a change is whole; of the
 * rows that it returns (RETURNING) those within the caps are kept. Then it is committed, and only then the caller hears
 * of it: `columns`, `rows`, and `end` with `affectedRows`.
 */
export async function* changeEvents(
  batches: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
  { columns, maxRows, maxBytes, commit }: ChangeOptions,
): AsyncGenerator<ResultEvent, void, void> {
  const rows: Row[] = [];
  let bytes = 0;
  let returned = 0;
  for await (const batch of batches) {
    returned += batch.length;
    for (const row of batch) {
      // One more than the cap tells that it was passed.
      if (rows.length > maxRows || bytes > maxBytes) break;
      bytes += rowBytes(row);
      rows.push(row);
    }
  }
  const affectedRows = await commit(returned);
  yield* boundedRows([rows], { columns, maxRows, maxBytes, end: () => ({ affectedRows }) });
}
