import {
  type Adapter,
  type AttributeId,
  abortedError,
  type CallContext,
  type Catalog,
  fillProbe,
  indexSchema,
  isAskemaError,
  type NameParts,
  qualifiedName,
  quoteIdentifier,
  throwIfAborted,
  type Value,
  type ValueIndex,
  type ValueMatch,
  type ValueQuery,
} from '@askema/core';
import pLimit from 'p-limit';
import { MIN_CELL_SCORE, rankCells } from './rank-cells.ts';
import { searchableRelations, textAttributes } from './searchable-attributes.ts';
import { type SurfaceForms, surfaceForms } from './surface-forms.ts';

export interface ScanCellsOptions {
  readonly adapter: Adapter;
  readonly catalog: Catalog;
  /** Distinct cells that are read of one attribute. Default 20,000. */
  readonly maxCellsPerAttribute?: number | undefined;
  /** Of one attribute's cells. Default 8 MiB. */
  readonly maxBytes?: number | undefined;
  /** For the statement of one attribute. Default 5000. */
  readonly timeoutMs?: number | undefined;
  /** Attributes of relations with more rows are not read at all. Default 1,000,000. */
  readonly maxRelationRows?: number | undefined;
  /** For a search everywhere: relations with more rows are left out. Default 50,000. */
  readonly maxSearchedRows?: number | undefined;
  /** For a search everywhere: attributes at most, those of small relations first. Default 400. */
  readonly maxSearchedAttributes?: number | undefined;
  /** For a search everywhere: what is not read by then is left out. Default 10,000. */
  readonly searchTimeoutMs?: number | undefined;
  /** What is kept in memory; the attributes that were not used for longest are forgotten first. Default 64 MiB. */
  readonly maxCachedBytes?: number | undefined;
  /** Statements that run at the same time. Default 4. */
  readonly concurrency?: number | undefined;
  /** Less alike cells are no matches. Default 0.5. */
  readonly minScore?: number | undefined;
}

/** A value index that tells how much it knows. */
export type CoveringValueIndex = ValueIndex & Required<Pick<ValueIndex, 'covers'>>;

/**
 * A value index without a store: it reads the distinct cells of an attribute when they are first asked for, with one
 * bounded read statement, and keeps them in memory. For small databases and for single attributes of larger ones. A
 * search without `attributes` looks into text attributes of small relations, within a time limit.
 *
 * An attribute that is too big, fails or takes too long is left out, and is not tried again: `covers` says `none` of
 * it. Cells that the database gets later are not seen.
 *
 * @throws AskemaError from `find` and `covers`: `ABORTED` when the signal of the context fires.
 */
export function scanCells(options: ScanCellsOptions): CoveringValueIndex {
  const { adapter, catalog, maxRelationRows = 1_000_000 } = options;
  const index = indexSchema(catalog);
  const limits = {
    maxCells: options.maxCellsPerAttribute ?? 20_000,
    maxBytes: options.maxBytes ?? 8 * 1024 * 1024,
    timeoutMs: options.timeoutMs ?? 5_000,
  };
  const limit = pLimit(options.concurrency ?? 4);
  const cache = createCellCache(options.maxCachedBytes ?? 64 * 1024 * 1024, (id, context) =>
    limit(async () => {
      const attribute = index.attribute(id);
      const relation = attribute && catalog.relations[attribute.relation];
      const { nestedFields = [], masked } = catalog.attributes[id] ?? {};
      const isClosed = nestedFields.length > 0 || masked === true;
      if (attribute === undefined || relation === undefined || isClosed || attribute.type === 'BINARY')
        return undefined;
      if (relation.remote === true || (relation.rowCount ?? 0) > maxRelationRows) return undefined;
      return readCells(adapter, relation.nameParts, attribute.name, limits, context);
    }),
  );
  const everywhere = (): AttributeId[] =>
    searchableRelations(catalog, options.maxSearchedRows ?? 50_000)
      .flatMap((relation) => textAttributes(catalog, index, relation))
      .slice(0, options.maxSearchedAttributes ?? 400);

  return {
    async find(query) {
      throwIfAborted(query.context.signal, 'The search for values');
      if (query.text.trim() === '' || query.limit < 1) return [];
      const deadline = query.attributes === undefined ? Date.now() + (options.searchTimeoutMs ?? 10_000) : undefined;
      const wanted = query.attributes ?? everywhere();
      const sets = await Promise.all(
        wanted.map(async (id) => [id, await before(deadline, cache.cells(id, query.context))] as const),
      );
      return matches(query, sets, options.minScore ?? MIN_CELL_SCORE);
    },
    async covers(attribute, context) {
      const set = await cache.cells(attribute, context);
      if (set === undefined) return 'none';
      return set.isWhole ? 'whole' : 'part';
    },
    async close() {
      cache.clear();
    },
  };
}

/** Undefined when the time is over first; what is read later is kept for the next search. */
async function before(deadline: number | undefined, cells: Promise<CellSet | undefined>): Promise<CellSet | undefined> {
  if (deadline === undefined) return cells;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, deadline - Date.now()));
  });
  return Promise.race([cells, over]).finally(() => clearTimeout(timer));
}

/** Best first, then in the order of the attributes. */
async function matches(
  { text, limit, context }: ValueQuery,
  sets: readonly (readonly [AttributeId, CellSet | undefined])[],
  minScore: number,
): Promise<readonly ValueMatch[]> {
  const wanted = surfaceForms(text);
  const found: (ValueMatch & { readonly place: number })[] = [];
  for (const [place, [attribute, set]] of sets.entries()) {
    if (set === undefined) continue;
    for (const { value, score } of rankCells(wanted, set.cells, { limit, minScore }))
      found.push({ mention: text, attribute, value, score, place });
    // Other work of the process goes on between attributes.
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
    throwIfAborted(context.signal, 'The search for values');
  }
  found.sort((a, b) => b.score - a.score || a.place - b.place || (a.value < b.value ? -1 : 1));
  return found.slice(0, limit).map(({ place: _place, ...match }) => match);
}

/** The probe of `Dialect.probes` that reads distinct cells, for engines without LIMIT. */
const CELLS_PROBE = 'cells';

const DEFAULT_SKELETON = 'SELECT DISTINCT {attribute} FROM {relation} WHERE {attribute} IS NOT NULL LIMIT {limit}';

/** The distinct cells of one attribute. */
interface CellSet {
  readonly cells: readonly SurfaceForms[];
  /** Every distinct cell is there. */
  readonly isWhole: boolean;
  /** Roughly what it takes in memory. */
  readonly bytes: number;
}

interface ReadCellsLimits {
  readonly maxCells: number;
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/** What a cell takes beside its text: its forms, once they were made. */
const BYTES_PER_CELL = 400;

/**
 * Reads the distinct cells of an attribute with one bounded statement. Texts and numbers are cells, other values are
 * not.
 *
 * @throws AskemaError what the adapter rejects with.
 */
async function readCells(
  adapter: Adapter,
  relation: NameParts,
  attribute: string,
  limits: ReadCellsLimits,
  context: CallContext,
): Promise<CellSet> {
  const sql = fillProbe(adapter.dialect.probes[CELLS_PROBE] ?? DEFAULT_SKELETON, {
    relation: qualifiedName(relation, adapter.dialect, 'always'),
    attribute: quoteIdentifier(attribute, adapter.dialect),
    limit: limits.maxCells + 1,
  });
  const result = await adapter.query(sql, {
    maxRows: limits.maxCells + 1,
    maxBytes: limits.maxBytes,
    timeoutMs: limits.timeoutMs,
    access: 'read',
    context,
  });
  const texts = result.rows.slice(0, limits.maxCells).flatMap((row) => cellText(row[0] ?? null) ?? []);
  return {
    cells: texts.map(surfaceForms),
    isWhole: result.truncated === undefined && result.rows.length <= limits.maxCells,
    bytes: texts.reduce((sum, text) => sum + 2 * text.length + BYTES_PER_CELL, 0),
  };
}

/** Engines with loose types keep numbers in text columns. */
function cellText(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined;
}

/** Cells by attribute; undefined for one that cannot be read. */
interface CellCache {
  cells(attribute: AttributeId, context: CallContext): Promise<CellSet | undefined>;
  clear(): void;
}

type Read = (attribute: AttributeId, context: CallContext) => Promise<CellSet | undefined>;

/**
 * Keeps what was read up to a limit, the attributes that were not used for longest go first. Callers that ask for an
 * attribute at the same time share one read: when the one whose context it runs in is aborted, another one reads again.
 * What failed is not tried again.
 */
function createCellCache(maxBytes: number, read: Read): CellCache {
  const kept = new Map<AttributeId, CellSet | undefined>();
  const running = new Map<AttributeId, Promise<CellSet | undefined>>();
  let bytes = 0;

  const keep = (attribute: AttributeId, set: CellSet | undefined): void => {
    kept.set(attribute, set);
    bytes += set?.bytes ?? 0;
    for (const [oldest, old] of kept) {
      if (bytes <= maxBytes) return;
      if (old === undefined || oldest === attribute) continue;
      kept.delete(oldest);
      bytes -= old.bytes;
    }
  };

  const start = (attribute: AttributeId, context: CallContext): Promise<CellSet | undefined> => {
    const reading = read(attribute, context)
      .catch((thrown: unknown) => {
        if (isAskemaError(thrown) && thrown.code === 'ABORTED') throw thrown;
        return undefined;
      })
      .then((set) => {
        keep(attribute, set);
        return set;
      })
      .finally(() => running.delete(attribute));
    running.set(attribute, reading);
    return reading;
  };

  return {
    async cells(attribute, context) {
      for (;;) {
        throwIfAborted(context.signal, 'The search for values');
        if (kept.has(attribute)) {
          const set = kept.get(attribute);
          kept.delete(attribute);
          kept.set(attribute, set);
          return set;
        }
        try {
          return await unlessAborted(running.get(attribute) ?? start(attribute, context), context.signal);
        } catch (thrown) {
          // Another caller's abort ended the shared read.
          if (context.signal?.aborted || !isAskemaError(thrown) || thrown.code !== 'ABORTED') throw thrown;
        }
      }
    },
    clear() {
      kept.clear();
      bytes = 0;
    },
  };
}

async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(abortedError('The search for values', signal.reason));
    signal.addEventListener('abort', onAbort, { once: true });
  });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
}
