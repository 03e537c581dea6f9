import { setImmediate as nextTurn } from 'node:timers/promises';
import { throwIfAborted } from '@askema/core';
import { attributeRows, readMeta, writeMeta } from './attribute-rows.ts';
import { createCellWriter } from './cell-writer.ts';
import type { Database } from './driver.ts';

const CELLS_PER_PAGE = 2_000;
/** Removed cells are cleared away when there are more of them than cells, and so many at least. */
const MIN_REMOVED = 5_000;

/** Counts cells that were removed and of which `form` and `gram` still hold traces. */
export function noteRemoved(database: Database, cells: number): void {
  if (cells > 0) writeMeta(database, 'removed', String(removedCells(database) + cells));
}

export function isCompactionDue(database: Database): boolean {
  const live = attributeRows(database).reduce((sum, { count }) => sum + count, 0);
  const removed = removedCells(database);
  return removed >= MIN_REMOVED && removed > live;
}

/** Writes everything that finds cells anew, so that no trace of removed cells is left. One transaction. */
export async function compactIndex(database: Database, signal: AbortSignal | undefined): Promise<void> {
  const writer = createCellWriter(database);
  try {
    database.exec('BEGIN IMMEDIATE');
    database.exec("INSERT INTO gram (gram) VALUES ('delete-all'); DELETE FROM form; DELETE FROM gram_count;");
    const page = database.prepare('SELECT id, cell FROM value WHERE id > ? ORDER BY id LIMIT ?');
    let last = -1;
    for (;;) {
      const values = page.all(last, CELLS_PER_PAGE) as { readonly id: number; readonly cell: string }[];
      for (const { id, cell } of values) writer.index(id, cell);
      last = values.at(-1)?.id ?? last;
      if (values.length < CELLS_PER_PAGE) break;
      throwIfAborted(signal, 'Building the value index');
      await nextTurn();
    }
    writeMeta(database, 'removed', '0');
    await writer.commit();
  } catch (thrown) {
    writer.rollback();
    throw thrown;
  }
}

function removedCells(database: Database): number {
  return Number(readMeta(database, 'removed') ?? 0);
}
