import pLimit from 'p-limit';
import type { Dialect } from '../dialect/dialect.ts';
import { fillProbe } from '../dialect/fill-probe.ts';
import { qualifiedName, quoteIdentifier } from '../dialect/quote-name.ts';
import { throwIfAborted } from '../errors/askema-error.ts';
import type { AttributeId } from '../schema/schema.ts';
import { indexSchema } from '../schema/schema-index.ts';
import type { Value } from '../values/value.ts';
import type { QueryOptions, QueryResult, SampleOptions, SampleValues } from './adapter-spec.ts';

/** The probe of `Dialect.probes` that drawing samples uses. */
const SAMPLE_PROBE = 'sample';

/** Reads a bounded piece of the relation, so that a large one with few distinct values is not read to its end. */
const DEFAULT_SKELETON =
  'SELECT DISTINCT {attribute} FROM (SELECT {attribute} FROM {relation} WHERE {attribute} IS NOT NULL LIMIT 10000) AS sampled LIMIT {limit}';

/** Statements at a time. */
const CONCURRENCY = 4;

/** A sample is for a prompt; a longer one is of no use there. */
const SAMPLE_BYTES = 256 * 1024;

type RunQuery = (sql: string, options: QueryOptions) => Promise<QueryResult>;

/**
 * The default of `sampleValues`: one statement per attribute, a few at a time, all within one deadline. NULL is no
 * sample. An attribute is absent when its relation is remote, its statement fails, or no time is left. The caller's
 * abort rejects with `ABORTED`.
 */
export function createSampler(dialect: Dialect, runQuery: RunQuery): SampleValues {
  const skeleton = dialect.probes[SAMPLE_PROBE] ?? DEFAULT_SKELETON;
  return async (attributes, options) => {
    const { catalog, context } = options;
    const index = indexSchema(catalog);
    const deadline = performance.now() + options.timeoutMs;
    const sampleOne = async (id: AttributeId): Promise<readonly [AttributeId, readonly Value[]] | undefined> => {
      const attribute = index.attribute(id);
      const info = attribute && catalog.relations[attribute.relation];
      const timeoutMs = Math.floor(deadline - performance.now());
      if (
        attribute === undefined ||
        info === undefined ||
        info.remote === true ||
        timeoutMs < 1 ||
        context.signal?.aborted
      )
        return undefined;
      const sql = fillProbe(skeleton, {
        relation: qualifiedName(info.nameParts, dialect, 'always'),
        attribute: quoteIdentifier(attribute.name, dialect),
        limit: options.limit,
      });
      const values = await readValues(runQuery, sql, timeoutMs, options);
      return values && [id, values];
    };
    const limiter = pLimit(CONCURRENCY);
    const unique = options.limit < 1 ? [] : [...new Set(attributes)];
    const sampled = await Promise.all(unique.map((id) => limiter(() => sampleOne(id))));
    throwIfAborted(context.signal, 'Drawing sample values');
    return Object.fromEntries(sampled.filter((entry) => entry !== undefined));
  };
}

async function readValues(
  runQuery: RunQuery,
  sql: string,
  timeoutMs: number,
  { limit, context }: SampleOptions,
): Promise<readonly Value[] | undefined> {
  try {
    const result = await runQuery(sql, { maxRows: limit, maxBytes: SAMPLE_BYTES, timeoutMs, access: 'read', context });
    return result.rows.map((row) => row[0] ?? null).filter((value) => value !== null);
  } catch {
    // Sampling is an aid: a column that cannot be read (permission, broken view) is left out, as the contract says.
    return undefined;
  }
}
