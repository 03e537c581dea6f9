import {
  type CallLimitsOptions,
  type Catalog,
  type Dialect,
  isAskemaError,
  qualifiedName,
  type RelationId,
  type RelationInfo,
  type Row,
} from '@askema/core';

export interface RowCounting {
  readonly dialect: Pick<Dialect, 'identifiers'>;
  /** All counting together (`rowCountTimeoutMs`). 0: no counting. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Default: tables of at most 32 MiB, and larger ones of which the engine has no estimate. */
  readonly isCounted?: ((info: RelationInfo) => boolean) | undefined;
  /** Others are left alone: reading them may do more than read. Default: all. */
  readonly isReadable?: ((info: RelationInfo) => boolean) | undefined;
  /**
   * So many relations stand in one statement, as the engine takes them: the first counts come first. Default: 50, so
   * that locks on thousands of tables do not fill a server's memory for them.
   */
  readonly perStatement?: number | undefined;
  /** Relations that are counted in a statement of their own. */
  readonly isAlone?: ((info: RelationInfo) => boolean) | undefined;
  /** Runs a statement that reads and gives its rows, of two columns: all at once, or batches that are kept where it fails. */
  readonly run: (sql: string, limits: CallLimitsOptions) => Promise<readonly Row[]> | AsyncIterable<readonly Row[]>;
  /** How many rows the engine expects of one that was not counted. Default: what `RelationInfo.rowCount` says. */
  readonly estimate?: ((info: RelationInfo) => number | undefined) | undefined;
  /**
   * Where an estimate will do: why some relations have none ("ANALYZE has not seen them"). The gap names only these.
   * Default: it names all that were not counted.
   */
  readonly lacks?: string | undefined;
}

/** So many names stand in the gap. */
const NAMED = 5;

const PER_STATEMENT = 50;

/** Of larger tables an estimate is near enough. */
const COUNTED_BYTES = 32 * 1024 * 1024;

function isSmallTable({ kind, byteCount = 0, rowCount }: RelationInfo): boolean {
  return kind === 'table' && (byteCount <= COUNTED_BYTES || rowCount === undefined);
}

/**
 * The catalog with its row counts: exact as far as the time goes, small relations first, else estimated, else none with
 * a gap that affects `counts`. They do not touch the fingerprint.
 *
 * Counts are an aid: an error of a statement, a lock or a file that has gone is met again by whoever queries the
 * relation, and the gap says what is missing. The caller's abort and every other error reject.
 */
export async function withRowCounts(catalog: Catalog, counting: RowCounting): Promise<Catalog> {
  const { timeoutMs, isCounted = isSmallTable, isReadable = () => true, lacks } = counting;
  const counted = catalog.schema.relations
    .flatMap(({ id }) => {
      const info = catalog.relations[id];
      return info !== undefined && isCounted(info) && isReadable(info) ? [{ id, info }] : [];
    })
    .sort((a, b) => (a.info.byteCount ?? 0) - (b.info.byteCount ?? 0));
  if (counted.length === 0 || timeoutMs === 0) return catalog;
  const { counts, failures } = await countRows(counted, counting);
  const relations = { ...catalog.relations };
  const late = ` within ${timeoutMs} ms (\`rowCountTimeoutMs\`)`;
  const missing = new Map<string, string[]>();
  for (const { id, info } of counted) {
    const count = counts.get(id);
    const rowCount = count ?? counting.estimate?.(info) ?? info.rowCount;
    if (rowCount !== undefined) relations[id] = { ...info, rowCount, rowCountExact: count !== undefined };
    if ((lacks === undefined ? count : rowCount) !== undefined) continue;
    const failure = failures.get(id);
    const why = failure === undefined ? late : `: ${failure}`;
    missing.set(why, [...(missing.get(why) ?? []), nameOf(info)]);
  }
  const gaps = [...missing].map(([why, names]) => ({
    subject: 'catalog',
    reason: `the rows of ${shown(names)} could not be counted${why}${lacks === undefined || why !== late ? '' : `, and ${lacks}`}`,
    affects: 'counts' as const,
  }));
  return { ...catalog, relations, incomplete: [...catalog.incomplete, ...gaps] };
}

function shown(names: readonly string[]): string {
  return names.slice(0, NAMED).join(', ') + (names.length > NAMED ? ` and ${names.length - NAMED} more` : '');
}

interface Counted {
  readonly id: RelationId;
  readonly info: RelationInfo;
}

/** What cannot be counted together is counted in halves, until the relation that it is about is alone. */
const MAY_BE_ONE = /^(QUERY_|DATABASE_(CORRUPT|INVALID))/;
const IS_TOLERABLE = /^(QUERY_|DATABASE_(CORRUPT|INVALID|LOCKED|UNAVAILABLE))/;

async function countRows(
  counted: readonly Counted[],
  { dialect, timeoutMs, signal, perStatement = PER_STATEMENT, isAlone, run }: RowCounting,
): Promise<{ readonly counts: ReadonlyMap<RelationId, number>; readonly failures: ReadonlyMap<RelationId, string> }> {
  const counts = new Map<RelationId, number>();
  const failures = new Map<RelationId, string>();
  const deadline = performance.now() + timeoutMs;
  const count = async (chunk: readonly Counted[]): Promise<void> => {
    const left = Math.ceil(deadline - performance.now());
    if (left <= 0) return;
    const sql = chunk
      .map(({ info }, index) => `SELECT ${index}, count(*) FROM ${qualifiedName(info.nameParts, dialect, 'always')}`)
      .join(' UNION ALL ');
    try {
      const found = run(sql, { what: 'Counting rows', timeoutMs: left, signal });
      for await (const rows of found instanceof Promise ? [found] : found)
        for (const [index, rowCount] of rows) {
          const id = chunk[Number(index)]?.id;
          if (id !== undefined) counts.set(id, Number(rowCount));
        }
    } catch (thrown) {
      if (!isAskemaError(thrown) || !IS_TOLERABLE.test(thrown.code)) throw thrown;
      if (thrown.code === 'QUERY_TIMEOUT') return;
      const rest = chunk.filter(({ id }) => !counts.has(id));
      if (rest.length < 2 || !MAY_BE_ONE.test(thrown.code)) for (const { id } of rest) failures.set(id, thrown.message);
      else {
        await count(rest.slice(0, rest.length >> 1));
        await count(rest.slice(rest.length >> 1));
      }
    }
  };
  for (let start = 0; start < counted.length; ) {
    const rest = counted.slice(start, start + perStatement);
    const alone = isAlone === undefined ? -1 : rest.findIndex(({ info }) => isAlone(info));
    const chunk = alone < 0 ? rest : rest.slice(0, Math.max(1, alone));
    start += chunk.length;
    await count(chunk);
  }
  return { counts, failures };
}

function nameOf({ nameParts: { database, schema, relation } }: RelationInfo): string {
  return [database, schema, relation].filter((part) => part !== undefined).join('.');
}
