import {
  type CallContext,
  type Catalog,
  type Introspector,
  isAskemaError,
  qualifiedName,
  type RelationId,
} from '@askema/core';
import { duckdbDialect } from '@askema/dialects';
import type { Engine } from '../engine.ts';
import { explainFailure } from '../errors/explain-failure.ts';
import { requestValue, runRequest } from '../pool/run-request.ts';
import type { RawCatalog } from '../protocol.ts';
import { draftCatalog, qualified } from './draft-catalog.ts';

/** So many counts stand in one statement; the first ones are there while later ones are still made. */
const TERMS = 200;

/** As many bytes as no list of counts needs. */
const COUNT_BYTES = 2 ** 24;

/** Reads the catalog in four statements of one transaction, then counts rows as far as the time for that goes. */
export function createIntrospector(engine: Engine): Introspector {
  const { pool, options, opened } = engine;
  return {
    async introspect({ include, context }) {
      const limits = { timeoutMs: options.introspectTimeoutMs, signal: context.signal, what: 'Reading the catalog' };
      const explain = (failure: Parameters<typeof explainFailure>[0]) => explainFailure(failure, undefined);
      const raw = await requestValue<RawCatalog>(pool, { type: 'catalog' }, limits, explain);
      const estimates = new Map<string, number>();
      const catalog = draftCatalog(raw, { name: options.name, opened: opened(), include, estimates });
      return withRowCounts(engine, catalog, estimates, context);
    },
  };
}

/**
 * The catalog with its row counts: exact as far as `rowCountTimeoutMs` goes, else as DuckDB estimates, else none.
 * Tables and Parquet files are counted by what is stored beside their rows, CSV and JSON files are read. Views of a
 * database are not counted.
 */
async function withRowCounts(
  engine: Engine,
  catalog: Catalog,
  estimates: ReadonlyMap<string, number>,
  context: CallContext,
): Promise<Catalog> {
  const { rowCountTimeoutMs } = engine.options;
  const countable = catalog.schema.relations
    .map(({ id }) => id)
    .filter((id) => catalog.relations[id]?.kind !== 'view')
    // Small ones first, so that a huge file costs only its own count.
    .sort((a, b) => (catalog.relations[a]?.byteCount ?? 0) - (catalog.relations[b]?.byteCount ?? 0));
  if (countable.length === 0 || rowCountTimeoutMs === 0) return catalog;
  const counts = await countRows(engine, catalog, countable, context);
  const relations = { ...catalog.relations };
  const uncounted: string[] = [];
  for (const id of countable) {
    const info = relations[id];
    if (info === undefined) continue;
    const rowCount = counts.get(id) ?? estimates.get(qualified(info.nameParts));
    if (rowCount !== undefined) relations[id] = { ...info, rowCount, rowCountExact: counts.has(id) };
    if (!counts.has(id)) uncounted.push(qualified(info.nameParts));
  }
  if (uncounted.length === 0) return { ...catalog, relations };
  const reason = `the rows of ${listOf(uncounted)} could not be counted within ${rowCountTimeoutMs} ms (\`rowCountTimeoutMs\`)`;
  return {
    ...catalog,
    relations,
    incomplete: [...catalog.incomplete, { subject: 'catalog', reason, affects: 'counts' }],
  };
}

async function countRows(
  { pool, options }: Engine,
  catalog: Catalog,
  countable: readonly RelationId[],
  context: CallContext,
): Promise<Map<RelationId, number>> {
  const counts = new Map<RelationId, number>();
  const deadline = performance.now() + options.rowCountTimeoutMs;
  let start = 0;
  while (start < countable.length) {
    const timeoutMs = Math.ceil(deadline - performance.now());
    if (timeoutMs <= 0) break;
    // Files are read one after another, so that what was counted is not lost with what was not.
    const isFile = catalog.relations[countable[start] ?? '']?.kind === 'external table';
    const chunk = countable.slice(start, start + (isFile ? 1 : TERMS));
    start += chunk.length;
    const sql = chunk.map((id, index) => `SELECT ${index}, count(*) FROM ${nameIn(catalog, id)}`).join(' UNION ALL ');
    const request = { type: 'query', sql, access: 'read', maxRows: TERMS, maxBytes: COUNT_BYTES } as const;
    const limits = { timeoutMs, signal: context.signal, what: 'Counting rows' };
    try {
      for await (const answer of runRequest(pool, request, limits, (failure) => explainFailure(failure, undefined))) {
        if (answer.type !== 'rows') continue;
        for (const [index, count] of answer.rows) {
          const id = chunk[Number(index)];
          if (id !== undefined) counts.set(id, Number(count));
        }
      }
    } catch (thrown) {
      // Counts are an aid. A file that has gone is met again by whoever queries it; the gap says what is missing.
      if (!isAskemaError(thrown) || !/^(QUERY_|DATABASE_(CORRUPT|INVALID|UNAVAILABLE))/.test(thrown.code)) throw thrown;
    }
  }
  return counts;
}

function nameIn(catalog: Catalog, id: RelationId): string {
  return qualifiedName(catalog.relations[id]?.nameParts ?? { relation: '' }, duckdbDialect, 'always');
}

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}
