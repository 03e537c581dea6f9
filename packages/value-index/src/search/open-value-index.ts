import {
  AskemaError,
  type AttributeId,
  type Catalog,
  type EmbeddingModel,
  throwIfAborted,
  type ValueIndex,
  type ValueMatch,
  type ValueQuery,
} from '@askema/core';
import { MIN_CELL_SCORE } from '@askema/grounding';
import { embeddingModelName } from '../build/embed-cells.ts';
import { indexStats, type ValueIndexStats } from '../index-stats.ts';
import { attributeRows, hasVectors, readMeta } from '../store/attribute-rows.ts';
import { attributeEntries, checkCatalog } from '../store/check-catalog.ts';
import { type Database, loadDriver, loadVectorExtension } from '../store/driver.ts';
import { fileError, guardFile, openForReading } from '../store/index-file.ts';
import { createCellReader, idRanges } from './cell-reader.ts';
import { findByMeaning } from './find-by-meaning.ts';
import { byScore, findCells, type ScoredCell } from './find-cells.ts';

export interface OpenValueIndexOptions {
  /** The catalog of now: attributes that have become others are not searched. Without it all are. */
  readonly catalog?: Catalog | undefined;
  /** The model that made the vectors: texts are also found by their meaning, where nothing is spelled alike. */
  readonly embeddings?: EmbeddingModel | undefined;
}

/** A value index in a SQLite file. */
export interface SqliteValueIndex extends ValueIndex, AsyncDisposable {
  covers(attribute: AttributeId): Promise<'whole' | 'part' | 'none'>;
  stats(): ValueIndexStats;
}

/** What is searched at one moment; a build may go on beside it. */
interface Snapshot {
  readonly byNumber: ReadonlyMap<number, AttributeId>;
  readonly byAttribute: ReadonlyMap<AttributeId, { readonly number: number; readonly coverage: 'whole' | 'part' }>;
  readonly values: number;
}

/** Restrictions to more attributes are applied to what is found, not to the look-up. */
const MAX_RANGES = 64;

/**
 * Opens an index that {@link buildValueIndex} has made, for reading only. `find` first looks for the text and its
 * normalised forms (case, accents, punctuation, order of words, singular and plural, initials, well-known names), and
 * only when that gives nothing near enough for cells that are like it. Text is data: no wildcard, no operator means
 * anything in it.
 *
 * Rejects with `DATABASE_NOT_FOUND`, `DATABASE_INVALID`, `DATABASE_CORRUPT`, `DATABASE_UNAVAILABLE`,
 * `CONTRACT_MISMATCH` (another format), `CONFIG_INVALID` (the index of another database, vectors of another model),
 * `DEPENDENCY_MISSING`.
 */
export async function openValueIndex(path: string, options: OpenValueIndexOptions = {}): Promise<SqliteValueIndex> {
  const { catalog, embeddings } = options;
  const driver = await loadDriver();
  const database = openForReading(driver, path);
  try {
    if (catalog !== undefined) guardFile(path, () => checkCatalog(database, catalog, path));
    if (embeddings !== undefined) await prepareVectors(database, embeddings, path);
    return searchIndex(database, path, options);
  } catch (thrown) {
    database.close();
    throw fileError(path, thrown);
  }
}

function searchIndex(
  database: Database,
  path: string,
  { catalog, embeddings }: OpenValueIndexOptions,
): SqliteValueIndex {
  const entries = catalog === undefined ? undefined : attributeEntries(catalog);
  const reader = createCellReader(database);
  let version: unknown;
  let current: Snapshot | undefined;
  const snapshot = (): Snapshot => {
    if (!database.open)
      throw new AskemaError('DATABASE_CLOSED', `The value index ${JSON.stringify(path)} is closed; open it again.`);
    // It changes when another connection has committed (https://sqlite.org/pragma.html#pragma_data_version).
    const now = database.pragma('data_version', { simple: true });
    if (current === undefined || now !== version) {
      reader.refresh();
      current = takeSnapshot(database, entries);
      version = now;
    }
    return current;
  };
  const find = async ({
    text,
    attributes,
    limit,
    minScore = 0,
    context,
  }: ValueQuery): Promise<readonly ValueMatch[]> => {
    throwIfAborted(context.signal, 'Looking a value up');
    const { byNumber, byAttribute, values } = guardFile(path, snapshot);
    const numbers = attributes?.flatMap((attribute) => byAttribute.get(attribute)?.number ?? []);
    if (numbers?.length === 0 || limit < 1) return [];
    const wanted = numbers === undefined ? undefined : new Set(numbers);
    const counts = (number: number): boolean => wanted?.has(number) ?? byNumber.has(number);
    const ranges = numbers === undefined || numbers.length > MAX_RANGES ? undefined : idRanges([...(wanted ?? [])]);
    let found: readonly ScoredCell[] = guardFile(path, () =>
      findCells({ reader, text, ranges, counts, values, minScore, limit }),
    );
    if (embeddings !== undefined && minScore < MEANING_BELOW && (found[0]?.score ?? 0) < MEANING_BELOW) {
      const meant = await findByMeaning(database, embeddings, { text, numbers, counts, limit, context });
      found = merge(found, meant).slice(0, limit);
    }
    return found.map(({ attribute, cell, score }) => ({
      mention: text,
      attribute: byNumber.get(attribute) ?? '',
      value: cell,
      score,
    }));
  };
  const close = async (): Promise<void> => {
    if (database.open) database.close();
  };
  return {
    find,
    covers: async (attribute) => guardFile(path, snapshot).byAttribute.get(attribute)?.coverage ?? 'none',
    stats: () =>
      guardFile(path, () => {
        snapshot();
        return indexStats(database, path, catalog);
      }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Where the best spelling is further away than this, meaning is asked. */
const MEANING_BELOW = 0.75;

function merge(spelled: readonly ScoredCell[], meant: readonly ScoredCell[]): readonly ScoredCell[] {
  const all = new Map<string, ScoredCell>();
  for (const found of [...spelled, ...meant]) {
    const key = `${found.attribute} ${found.cell}`;
    if ((all.get(key)?.score ?? MIN_CELL_SCORE - 1) < found.score) all.set(key, found);
  }
  return [...all.values()].sort(byScore);
}

function takeSnapshot(database: Database, entries: ReadonlyMap<AttributeId, string> | undefined): Snapshot {
  const byNumber = new Map<number, AttributeId>();
  const byAttribute = new Map<AttributeId, { readonly number: number; readonly coverage: 'whole' | 'part' }>();
  let values = 0;
  for (const { number, attribute, state, coverage, count, entry } of attributeRows(database)) {
    if (state !== 'ready' || (entries !== undefined && entries.get(attribute) !== entry)) continue;
    byNumber.set(number, attribute);
    byAttribute.set(attribute, { number, coverage });
    values += count;
  }
  return { byNumber, byAttribute, values };
}

async function prepareVectors(database: Database, embeddings: EmbeddingModel, path: string): Promise<void> {
  const stored = readMeta(database, 'embeddingModel');
  if (!hasVectors(database) || stored !== embeddingModelName(embeddings))
    throw new AskemaError(
      'CONFIG_INVALID',
      `The value index ${JSON.stringify(path)} holds ${stored === undefined ? 'no vectors' : `vectors of ${stored}`}, and ${embeddingModelName(embeddings)} was given to search them; build it with that model.`,
    );
  await loadVectorExtension(database);
}
