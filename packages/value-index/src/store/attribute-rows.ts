import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AttributeId } from '@askema/core';
import type { Database } from './driver.ts';
import { ID_RANGE } from './index-schema.ts';

/** What an index says of one reading of an attribute. */
export interface AttributeRow {
  readonly number: number;
  readonly attribute: AttributeId;
  /** `pending`: planned, no budget left; `reading`: not ended, its cells do not count. */
  readonly state: 'pending' | 'reading' | 'ready' | 'failed';
  readonly coverage: 'whole' | 'part';
  readonly count: number;
  /** So many of its cells have a vector. */
  readonly embedded: number;
  /** A hash of what the catalog said of it. */
  readonly entry: string;
  /** The limits under which it was read, as JSON. */
  readonly limits: string;
  readonly digest: string | null;
  readonly rowCount: number | null;
  /** Why it is pending, failed or in part. */
  readonly reason: string | null;
}

const COLUMNS =
  'number, attribute, state, coverage, count, embedded, entry, limits, digest, row_count AS rowCount, reason';

export function attributeRows(database: Database): readonly AttributeRow[] {
  return database.prepare(`SELECT ${COLUMNS} FROM attribute ORDER BY number`).all() as AttributeRow[];
}

/** A new reading of an attribute, with a number that no other one ever had. */
export function insertAttributeRow(database: Database, row: Omit<AttributeRow, 'number' | 'embedded'>): number {
  const insert = database.prepare(
    'INSERT INTO attribute (attribute, state, coverage, count, entry, limits, digest, row_count, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const { attribute, state, coverage, count, entry, limits, digest, rowCount, reason } = row;
  return Number(insert.run(attribute, state, coverage, count, entry, limits, digest, rowCount, reason).lastInsertRowid);
}

export function updateAttributeRow(
  database: Database,
  number: number,
  change: Pick<AttributeRow, 'state' | 'coverage' | 'count' | 'limits' | 'reason'>,
): void {
  const { state, coverage, count, limits, reason } = change;
  database
    .prepare('UPDATE attribute SET state = ?, coverage = ?, count = ?, limits = ?, reason = ? WHERE number = ?')
    .run(state, coverage, count, limits, reason, number);
}

/** Cells deleted between two turns of the event loop. */
const CELLS_PER_TURN = 5_000;

/**
 * Forgets a reading, its cells and their vectors, in the transaction that is open. What finds them stays, and finds
 * nothing.
 */
export async function deleteAttributeRow(database: Database, number: number): Promise<void> {
  const vectors = hasVectors(database)
    ? database.prepare('DELETE FROM cell_vector WHERE rowid = CAST(? AS INTEGER)')
    : undefined;
  const some = database.prepare('SELECT id FROM value WHERE id >= ? AND id < ? LIMIT ?').pluck();
  const remove = database.prepare('DELETE FROM value WHERE id = ?');
  for (;;) {
    const ids = some.all(number * ID_RANGE, (number + 1) * ID_RANGE, CELLS_PER_TURN) as number[];
    for (const id of ids) {
      remove.run(id);
      vectors?.run(id);
    }
    if (ids.length < CELLS_PER_TURN) break;
    await nextTurn();
  }
  database.prepare('DELETE FROM attribute WHERE number = ?').run(number);
}

export function hasVectors(database: Database): boolean {
  return (
    database
      .prepare("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'cell_vector'")
      .pluck()
      .get() === 1
  );
}

/** A fact about the index as a whole; undefined when it was never set. */
export function readMeta(database: Database, key: string): string | undefined {
  return database.prepare('SELECT value FROM meta WHERE key = ?').pluck().get(key) as string | undefined;
}

export function writeMeta(database: Database, key: string, value: string): void {
  database.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(key, value);
}
