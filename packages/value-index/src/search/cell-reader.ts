import type { Database } from '../store/driver.ts';
import { formChunks } from '../store/form-buffer.ts';
import { ID_RANGE } from '../store/index-schema.ts';

/** A cell that may be meant. */
export interface FoundCell {
  readonly id: number;
  readonly cell: string;
}

/** Half-open ranges of ids that a look-up is restricted to; undefined means all. */
export type IdRanges = readonly (readonly [from: number, to: number])[] | undefined;

/** Every value id is within it. */
const ALL_IDS: readonly [number, number] = [0, Number.MAX_SAFE_INTEGER];

/** The ids of the values of attributes. */
export function idRanges(attributes: readonly number[]): NonNullable<IdRanges> {
  return [...attributes].sort((a, b) => a - b).map((number) => [number * ID_RANGE, (number + 1) * ID_RANGE] as const);
}

/** The statements of a look-up, prepared once for an open index. */
export interface CellReader {
  /** Cells under hashes of their forms, up to `limit` for each hash and range. */
  byHash(hashes: Iterable<number>, ranges: IdRanges, limit: number): FoundCell[];
  /** Ids of cells under any of many hashes, in one statement. */
  idsByHashes(hashes: readonly number[], limit: number): number[];
  cells(ids: readonly number[]): FoundCell[];
  /** Ids of values that have all of these trigrams. */
  withGrams(grams: readonly string[], ranges: IdRanges, limit: number): number[];
  /** How many values have each trigram, about; 0 for one that none has. */
  gramCounts(grams: readonly string[]): number[];
  /** Chunks of the form table have changed. */
  refresh(): void;
}

export function createCellReader(database: Database): CellReader {
  const ofHash = database.prepare(
    'SELECT value.id AS id, value.cell AS cell FROM form JOIN value ON value.id = form.id WHERE form.chunk = ? AND form.hash = ? AND form.id >= ? AND form.id < ? LIMIT ?',
  );
  const ofHashes = database
    .prepare(
      'SELECT form.id FROM json_each(?) AS chunk CROSS JOIN json_each(?) AS wanted CROSS JOIN form ON form.chunk = chunk.value AND form.hash = wanted.value LIMIT ?',
    )
    .pluck();
  // One statement for a list: a call for each element costs more than what it reads.
  const ofIds = database.prepare(
    'SELECT value.id AS id, value.cell AS cell FROM json_each(?) AS wanted CROSS JOIN value ON value.id = wanted.value',
  );
  const ofGrams = database
    .prepare(
      'SELECT rowid FROM gram WHERE gram MATCH ? AND rowid >= CAST(? AS INTEGER) AND rowid < CAST(? AS INTEGER) LIMIT ?',
    )
    .pluck();
  const gramCounts = database
    .prepare(
      'SELECT coalesce((SELECT count FROM gram_count WHERE gram = wanted.value), 0) FROM json_each(?) AS wanted ORDER BY wanted.id',
    )
    .pluck();
  let chunks: readonly number[] | undefined;
  const allChunks = (): readonly number[] => {
    chunks ??= formChunks(database);
    return chunks;
  };
  return {
    byHash(hashes, ranges, limit) {
      const found: FoundCell[] = [];
      for (const hash of hashes)
        for (const [from, to] of ranges ?? [ALL_IDS])
          for (const chunk of allChunks()) found.push(...(ofHash.all(chunk, hash, from, to, limit) as FoundCell[]));
      return found;
    },
    idsByHashes: (hashes, limit) =>
      ofHashes.all(JSON.stringify(allChunks()), JSON.stringify(hashes), limit) as number[],
    cells: (ids) => (ids.length === 0 ? [] : (ofIds.all(JSON.stringify(ids)) as FoundCell[])),
    withGrams(grams, ranges, limit) {
      const match = grams.map((gram) => `"${gram.replaceAll('"', '""')}"`).join(' AND ');
      if (ranges === undefined) return ofGrams.all(match, ...ALL_IDS, limit) as number[];
      return ranges.flatMap(([from, to]) => ofGrams.all(match, from, to, limit) as number[]);
    },
    gramCounts: (grams) => (grams.length === 0 ? [] : (gramCounts.all(JSON.stringify(grams)) as number[])),
    refresh() {
      chunks = undefined;
    },
  };
}
