import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from './driver.ts';

/** Entries that are written as one sorted chunk, at most. */
export const CHUNK_ENTRIES = 2 ** 21;
/** Each statement costs more than a row does. */
const ROWS_PER_STATEMENT = 64;
/** More chunks make each look-up dear: they are merged into one. */
const MAX_CHUNKS = 12;

/** Collects form hashes and writes them sorted: appending to a tree costs far less than inserting all over it. */
interface FormBuffer {
  add(hash: number, id: number): void;
  readonly size: number;
  /** Writes what was collected as one chunk, inside of the transaction that is open. */
  write(): Promise<void>;
  clear(): void;
}

export function createFormBuffer(database: Database): FormBuffer {
  let hashes = new Float64Array(2 ** 12);
  let ids = new Float64Array(2 ** 12);
  let size = 0;
  const nextChunk = database.prepare('SELECT coalesce(max(chunk), 0) + 1 FROM form').pluck();
  const insert = database.prepare('INSERT OR IGNORE INTO form (chunk, hash, id) VALUES (?, ?, ?)');
  const insertMany = database.prepare(
    `INSERT OR IGNORE INTO form (chunk, hash, id) VALUES ${Array.from({ length: ROWS_PER_STATEMENT }, () => '(?, ?, ?)').join(', ')}`,
  );
  return {
    add(hash, id) {
      if (size === hashes.length) {
        hashes = grow(hashes);
        ids = grow(ids);
      }
      hashes[size] = hash;
      ids[size] = id;
      size += 1;
    },
    get size() {
      return size;
    },
    async write() {
      if (size === 0) return;
      const chunk = nextChunk.get();
      for (const slice of slices(hashes, size)) {
        slice.sort((a, b) => (hashes[a] ?? 0) - (hashes[b] ?? 0) || a - b);
        let at = 0;
        for (; at + ROWS_PER_STATEMENT <= slice.length; at += ROWS_PER_STATEMENT) {
          const rows: unknown[] = [];
          for (const place of slice.subarray(at, at + ROWS_PER_STATEMENT)) rows.push(chunk, hashes[place], ids[place]);
          insertMany.run(rows);
        }
        for (const place of slice.subarray(at)) insert.run(chunk, hashes[place], ids[place]);
        await nextTurn();
      }
      size = 0;
    },
    clear() {
      size = 0;
    },
  };
}

/** Hashes are spread evenly over 53 bits: slices of that range are written one at a time. */
const SLICES = 256;
const SLICE_WIDTH = 2 ** 53 / SLICES;

/** The places of hashes, by slices of their range, in the order of the slices. */
function* slices(hashes: Float64Array, size: number): Generator<Uint32Array> {
  const sliceOf = (at: number): number => Math.floor((hashes[at] ?? 0) / SLICE_WIDTH);
  const starts = new Uint32Array(SLICES + 1);
  for (let at = 0; at < size; at += 1) starts[sliceOf(at) + 1] = (starts[sliceOf(at) + 1] ?? 0) + 1;
  for (let slice = 0; slice < SLICES; slice += 1) starts[slice + 1] = (starts[slice + 1] ?? 0) + (starts[slice] ?? 0);
  const next = starts.slice();
  const places = new Uint32Array(size);
  for (let at = 0; at < size; at += 1) {
    const slice = sliceOf(at);
    places[next[slice] ?? 0] = at;
    next[slice] = (next[slice] ?? 0) + 1;
  }
  for (let slice = 0; slice < SLICES; slice += 1) {
    const found = places.subarray(starts[slice], starts[slice + 1]);
    if (found.length > 0) yield found;
  }
}

/** Makes one chunk of many, in one transaction, with turns of the event loop in between. */
export async function mergeChunks(database: Database): Promise<void> {
  const chunks = formChunks(database);
  if (chunks.length <= MAX_CHUNKS) return;
  const merged = Math.max(...chunks) + 1;
  const copy = database.prepare(
    'INSERT OR IGNORE INTO form (chunk, hash, id) SELECT ?, form.hash, form.id FROM json_each(?) AS old JOIN form ON form.chunk = old.value AND form.hash >= ? AND form.hash < ? ORDER BY 2, 3',
  );
  const drop = database.prepare('DELETE FROM form WHERE chunk = ?');
  database.exec('BEGIN IMMEDIATE');
  try {
    for (let slice = 0; slice < SLICES; slice += 1) {
      copy.run(merged, JSON.stringify(chunks), slice * SLICE_WIDTH, (slice + 1) * SLICE_WIDTH);
      await nextTurn();
    }
    for (const chunk of chunks) {
      drop.run(chunk);
      await nextTurn();
    }
    database.exec('COMMIT');
  } catch (thrown) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw thrown;
  }
}

/** The different chunks, by jumping from one to the next: DISTINCT would walk the whole table. */
export function formChunks(database: Database): readonly number[] {
  return database
    .prepare(
      'WITH RECURSIVE next (chunk) AS (SELECT min(chunk) FROM form UNION ALL SELECT (SELECT min(chunk) FROM form WHERE form.chunk > next.chunk) FROM next WHERE next.chunk IS NOT NULL) SELECT chunk FROM next WHERE chunk IS NOT NULL',
    )
    .pluck()
    .all() as number[];
}

function grow(array: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(array.length * 2);
  larger.set(array);
  return larger;
}
