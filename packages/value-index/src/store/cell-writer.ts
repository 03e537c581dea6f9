import { setImmediate as nextTurn } from 'node:timers/promises';
import { surfaceForms } from '@askema/grounding';
import type { Database } from './driver.ts';
import { CHUNK_ENTRIES, createFormBuffer } from './form-buffer.ts';
import { ID_RANGE } from './index-schema.ts';
import { gramsOf, gramText, hashesOfCell } from './value-forms.ts';

/** Cells handled between two turns of the event loop: a few milliseconds. */
const CELLS_PER_TURN = 500;
/** A commit at least so often, so that a killed build loses little. */
const COMMIT_EVERY_MS = 10_000;

/**
 * Writes cells and what finds them. Cells of an attribute count only when it is marked as ready, in the transaction
 * that also holds the last of them.
 */
export interface CellWriter {
  /** Opens a transaction where none is open. */
  begin(): void;
  /** Adds cells of an attribute, in the open transaction; `place` is that of the first one among its cells. */
  add(attribute: number, place: number, cells: readonly string[]): Promise<void>;
  /** Indexes a cell that is already stored. */
  index(id: number, cell: string): void;
  /** True when it is time to commit: much is buffered, or the last commit is long ago. */
  readonly due: boolean;
  /** Writes the buffers and commits. */
  commit(): Promise<void>;
  rollback(): void;
}

export function createCellWriter(database: Database): CellWriter {
  const insertValue = database.prepare('INSERT INTO value (id, cell) VALUES (?, ?)');
  const insertGrams = database.prepare('INSERT INTO gram (rowid, words) VALUES (CAST(? AS INTEGER), ?)');
  const countGram = database.prepare(
    'INSERT INTO gram_count (gram, count) VALUES (?, ?) ON CONFLICT (gram) DO UPDATE SET count = count + excluded.count',
  );
  const forms = createFormBuffer(database);
  let gramCounts = new Map<string, number>();
  let committed = performance.now();
  const begin = (): void => {
    if (!database.inTransaction) database.exec('BEGIN IMMEDIATE');
  };
  const index = (id: number, cell: string): void => {
    begin();
    const surface = surfaceForms(cell);
    for (const hash of hashesOfCell(surface)) forms.add(hash, id);
    const words = gramText(surface).replaceAll('\0', ' ');
    insertGrams.run(id, words);
    for (const gram of gramsOf(words)) gramCounts.set(gram, (gramCounts.get(gram) ?? 0) + 1);
  };
  return {
    begin,
    async add(attribute, place, cells) {
      begin();
      for (const [at, cell] of cells.entries()) {
        const id = attribute * ID_RANGE + place + at;
        insertValue.run(id, cell);
        index(id, cell);
        if (at % CELLS_PER_TURN === CELLS_PER_TURN - 1) await nextTurn();
      }
    },
    index,
    get due() {
      return forms.size >= CHUNK_ENTRIES || performance.now() - committed > COMMIT_EVERY_MS;
    },
    async commit() {
      begin();
      await forms.write();
      let written = 0;
      for (const [gram, count] of gramCounts) {
        countGram.run(gram, count);
        written += 1;
        if (written % 5_000 === 0) await nextTurn();
      }
      gramCounts = new Map();
      database.exec('COMMIT');
      committed = performance.now();
    },
    rollback() {
      forms.clear();
      gramCounts = new Map();
      if (database.inTransaction) database.exec('ROLLBACK');
    },
  };
}
