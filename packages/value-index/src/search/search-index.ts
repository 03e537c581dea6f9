import { AskemaError, type AttributeId, type ValueMatch } from '@askema/core';
import { MIN_CELL_SCORE } from '@askema/grounding';
import { indexStats, type ValueIndexStats } from '../index-stats.ts';
import { attributeRows } from '../store/attribute-rows.ts';
import { type CatalogIdentity, checkCatalog } from '../store/check-catalog.ts';
import { type Database, type Driver, loadVectorExtension } from '../store/driver.ts';
import {
  type EmbeddingsOfIndex,
  embeddingsOfIndex,
  isMadeBy,
  type NamedEmbeddings,
  vectorsName,
} from '../store/embeddings-of-index.ts';
import { fileError, guardFile, openForReading } from '../store/index-file.ts';
import { type CellReader, createCellReader, idRanges } from './cell-reader.ts';
import { findByMeaning } from './find-by-meaning.ts';
import { byScore, findCells, type ScoredCell } from './find-cells.ts';

/** What is opened, as it goes to the process that reads it. */
export interface SearchSettings {
  /** Absolute. */
  readonly path: string;
  /** That of the catalog of now; undefined where none was given. */
  readonly catalog: CatalogIdentity | undefined;
  /** The embedding model that was given. */
  readonly model: NamedEmbeddings | undefined;
}

/** What is looked for. */
export interface SearchQuery {
  readonly text: string;
  readonly attributes: readonly AttributeId[] | undefined;
  readonly limit: number;
  /** Less alike cells are not wanted. Default: 0. */
  readonly minScore?: number | undefined;
  /** The text as the embedding model has it; cells are then also found by their meaning. */
  readonly vector?: Float32Array | undefined;
}

/** An index that is open in this process. */
export interface SearchIndex {
  /** Whose vectors there are. */
  readonly embeddings: EmbeddingsOfIndex | undefined;
  find(query: SearchQuery): readonly ValueMatch[];
  covers(attribute: AttributeId): 'whole' | 'part' | 'none';
  stats(): ValueIndexStats;
  close(): void;
}

/** What is searched at one moment; a build may go on beside it. */
interface Snapshot {
  readonly byNumber: ReadonlyMap<number, AttributeId>;
  readonly byAttribute: ReadonlyMap<AttributeId, { readonly number: number; readonly coverage: 'whole' | 'part' }>;
  readonly values: number;
}

/** Restrictions to more attributes are applied to what is found, not to the look-up. */
const MAX_RANGES = 64;

/** Opens an index here; rejects as `openValueIndex` does. What is in the file may hold this process up for ever. */
export async function openSearch(driver: Driver, settings: SearchSettings): Promise<SearchIndex> {
  const { path, catalog, model } = settings;
  const database = openForReading(driver, path);
  try {
    if (catalog !== undefined) guardFile(path, () => checkCatalog(database, catalog, path));
    if (model !== undefined) await prepareVectors(database, model, path);
    return searchIndex(database, settings);
  } catch (thrown) {
    database.close();
    throw fileError(path, thrown);
  }
}

function searchIndex(database: Database, { path, catalog }: SearchSettings): SearchIndex {
  const reader = createCellReader(database);
  let version: unknown;
  let current: Snapshot | undefined;
  const snapshot = (): Snapshot => {
    // It changes when another connection has committed (https://sqlite.org/pragma.html#pragma_data_version).
    const now = database.pragma('data_version', { simple: true });
    if (current === undefined || now !== version) {
      reader.refresh();
      current = takeSnapshot(database, catalog?.entries);
      version = now;
    }
    return current;
  };
  return {
    embeddings: guardFile(path, () => embeddingsOfIndex(database)),
    find: (query) => guardFile(path, () => findMatches(database, reader, snapshot(), query)),
    covers: (attribute) => guardFile(path, snapshot).byAttribute.get(attribute)?.coverage ?? 'none',
    stats: () =>
      guardFile(path, () => {
        snapshot();
        return indexStats(database, path, catalog?.entries);
      }),
    close: () => database.close(),
  };
}

function findMatches(
  database: Database,
  reader: CellReader,
  { byNumber, byAttribute, values }: Snapshot,
  { text, attributes, limit, minScore = 0, vector }: SearchQuery,
): readonly ValueMatch[] {
  const numbers = attributes?.flatMap((attribute) => byAttribute.get(attribute)?.number ?? []);
  if (numbers?.length === 0 || limit < 1) return [];
  const wanted = numbers === undefined ? undefined : new Set(numbers);
  const counts = (number: number): boolean => wanted?.has(number) ?? byNumber.has(number);
  const ranges = numbers === undefined || numbers.length > MAX_RANGES ? undefined : idRanges([...(wanted ?? [])]);
  let found = findCells({ reader, text, ranges, counts, values, minScore, limit });
  if (vector !== undefined)
    found = merge(found, findByMeaning(database, { vector, numbers, counts, limit })).slice(0, limit);
  return found.map(({ attribute, cell, score }) => ({
    mention: text,
    attribute: byNumber.get(attribute) ?? '',
    value: cell,
    score,
  }));
}

function merge(spelled: readonly ScoredCell[], meant: readonly ScoredCell[]): readonly ScoredCell[] {
  const all = new Map<string, ScoredCell>();
  for (const found of [...spelled, ...meant]) {
    const key = `${found.attribute} ${found.cell}`;
    if ((all.get(key)?.score ?? MIN_CELL_SCORE - 1) < found.score) all.set(key, found);
  }
  return [...all.values()].sort(byScore);
}

function takeSnapshot(database: Database, entries: CatalogIdentity['entries'] | undefined): Snapshot {
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

async function prepareVectors(database: Database, model: NamedEmbeddings, path: string): Promise<void> {
  const stored = embeddingsOfIndex(database);
  if (stored === undefined || !isMadeBy(model, stored))
    throw new AskemaError(
      'CONFIG_INVALID',
      `The value index ${JSON.stringify(path)} holds ${stored === undefined ? 'no vectors' : `vectors of ${vectorsName({ ...stored, name: stored.model })}`}, and ${vectorsName(model)} was given to search them; build it with that model.`,
    );
  await loadVectorExtension(database);
}
