import {
  AskemaError,
  type CallContext,
  type Catalog,
  type Introspector,
  isAskemaError,
  quoteIdentifier,
  type RelationId,
  relationId,
} from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { explainFailure } from '../errors/explain.ts';
import type { ResolvedOptions } from '../options.ts';
import { runRequest } from '../pool/run-request.ts';
import type { WorkerPool } from '../pool/worker-pool.ts';
import type { RawCatalog, RawEstimate } from '../protocol.ts';
import { buildCatalog } from './build-catalog.ts';

/** SQLite takes at most 500 terms in a compound SELECT (https://sqlite.org/limits.html). */
const TERMS = 400;

/** As many bytes as no list of counts needs. */
const COUNT_BYTES = 2 ** 24;

/** Reads the catalog in a worker; see `Introspector` of core. */
export function createIntrospector(pool: WorkerPool, options: ResolvedOptions): Introspector {
  return {
    async introspect({ include, context }) {
      const limits = { timeoutMs: options.introspectTimeoutMs, signal: context.signal, what: 'Reading the catalog' };
      let raw: RawCatalog | undefined;
      for await (const answer of runRequest(pool, { type: 'catalog' }, limits, (failure) =>
        explainFailure(failure, options.file, undefined),
      ))
        if (answer.type === 'value') raw = answer.value as RawCatalog;
      if (raw === undefined) throw new AskemaError('INTERNAL', 'The worker process sent no catalog.');
      const catalog = buildCatalog(raw, options.name, include);
      return withRowCounts(pool, options, catalog, raw.estimates, context);
    },
  };
}

/**
 * The catalog with its row counts: exact as far as `rowCountTimeoutMs` goes, else by the statistics of ANALYZE, else
 * none. The counts come one by one, so that a huge table costs only what stands behind it. They do not touch the
 * fingerprint.
 */
async function withRowCounts(
  pool: WorkerPool,
  options: ResolvedOptions,
  catalog: Catalog,
  estimates: readonly RawEstimate[],
  context: CallContext,
): Promise<Catalog> {
  const tables = catalog.schema.relations
    .filter(({ id }) => catalog.relations[id]?.kind === 'table')
    .map(({ id }) => id);
  if (tables.length === 0 || options.rowCountTimeoutMs === 0) return catalog;
  const counts = await countRows(pool, options, catalog, tables, context);
  const estimated = new Map(estimates.map(([relation, statistic]) => [relationId([relation]), estimateOf(statistic)]));
  const relations = { ...catalog.relations };
  const uncounted: string[] = [];
  for (const id of tables) {
    const info = relations[id];
    if (info === undefined) continue;
    const rowCount = counts.get(id) ?? estimated.get(id);
    if (rowCount !== undefined) relations[id] = { ...info, rowCount, rowCountExact: counts.has(id) };
    if (!counts.has(id)) uncounted.push(info.nameParts.relation);
  }
  if (uncounted.length === 0) return { ...catalog, relations };
  const reason = `the rows of ${listOf(uncounted)} could not be counted within ${options.rowCountTimeoutMs} ms (\`rowCountTimeoutMs\`)`;
  return {
    ...catalog,
    relations,
    incomplete: [...catalog.incomplete, { subject: 'catalog', reason, affects: 'counts' }],
  };
}

async function countRows(
  pool: WorkerPool,
  { file, rowCountTimeoutMs }: ResolvedOptions,
  catalog: Catalog,
  tables: readonly RelationId[],
  context: CallContext,
): Promise<Map<RelationId, number>> {
  const counts = new Map<RelationId, number>();
  const deadline = performance.now() + rowCountTimeoutMs;
  for (let start = 0; start < tables.length; start += TERMS) {
    const timeoutMs = Math.ceil(deadline - performance.now());
    if (timeoutMs <= 0) break;
    const chunk = tables.slice(start, start + TERMS);
    const sql = chunk
      .map(
        (id, index) =>
          `SELECT ${index}, count(*) FROM ${quoteIdentifier(catalog.relations[id]?.nameParts.relation ?? '', sqliteDialect)}`,
      )
      .join(' UNION ALL ');
    const request = { type: 'query', sql, access: 'read', maxRows: TERMS, maxBytes: COUNT_BYTES } as const;
    const limits = { timeoutMs, signal: context.signal, what: 'Counting rows' };
    try {
      for await (const answer of runRequest(pool, request, limits, (failure) =>
        explainFailure(failure, file, undefined),
      )) {
        if (answer.type !== 'rows') continue;
        for (const [index, count] of answer.rows) {
          const id = chunk[Number(index)];
          if (id !== undefined) counts.set(id, Number(count));
        }
      }
    } catch (thrown) {
      // Counts are an aid. A corrupt table or a lock is met again by whoever queries it; the gap says what is missing.
      if (!isAskemaError(thrown) || !/^(QUERY_|DATABASE_(CORRUPT|LOCKED|UNAVAILABLE))/.test(thrown.code)) throw thrown;
    }
  }
  return counts;
}

function estimateOf(statistic: string): number | undefined {
  const rows = /^\d+/.exec(statistic)?.[0];
  return rows === undefined ? undefined : Number(rows);
}

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}
