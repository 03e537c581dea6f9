import {
  type Adapter,
  type Attribute,
  type AttributeId,
  type CallContext,
  type Catalog,
  castType,
  indexSchema,
  quoteIdentifier,
  quoteString,
  throwIfAborted,
  type Value,
} from '@askema/core';
import pLimit from 'p-limit';
import { isComparable } from './column-profile.ts';
import { countOf } from './profile-relation.ts';
import { boundedSource } from './profile-statement.ts';

/** What people store where there is no value. */
const PLACEHOLDERS = ['NULL', 'null', 'None', 'none', 'N/A', 'n/a', 'NaN', 'nan'];

/** Rows that are read of a relation: as many as samples look at. */
const MAX_ROWS = 10_000;

/** Statements at a time. */
const CONCURRENCY = 4;

/** Attributes of one statement. */
const BATCH = 30;

export interface MissingValuesOptions {
  readonly catalog: Catalog;
  /** For all statements together. */
  readonly timeoutMs: number;
  readonly context: CallContext;
}

/** What stands in place of values of one attribute. */
export interface MissingValues {
  /** NULL, an empty text, one text such as `N/A`: those that occur. */
  readonly values: readonly Value[];
  /** False where the relation has more rows than were read. */
  readonly isWhole: boolean;
  /** Of numbers and dates: the least and the greatest one of all rows; absent where not all were read. */
  readonly range?: readonly [Value, Value] | undefined;
}

/**
 * What stands in place of values in the first 10,000 rows, with one statement for thirty attributes of a relation.
 * Attributes that could not be read are absent: this is an aid. Masked ones and those of remote relations are not asked.
 *
 * Rejects only with `ABORTED`.
 */
export async function missingValues(
  { dialect, query }: Pick<Adapter, 'dialect' | 'query'>,
  attributes: readonly AttributeId[],
  { catalog, timeoutMs, context }: MissingValuesOptions,
): Promise<Readonly<Record<AttributeId, MissingValues>>> {
  const index = indexSchema(catalog);
  const deadline = performance.now() + timeoutMs;
  const asked = attributes.flatMap((id) => {
    const attribute = index.attribute(id);
    const isAsked =
      attribute !== undefined &&
      catalog.relations[attribute.relation]?.remote !== true &&
      isComparable(attribute, catalog.attributes[id]);
    return isAsked ? [attribute] : [];
  });
  const found: Record<AttributeId, MissingValues> = {};
  const ask = async (batch: readonly Attribute[]): Promise<void> => {
    const leftMs = Math.floor(deadline - performance.now());
    const nameParts = catalog.relations[batch[0]?.relation ?? '']?.nameParts;
    if (leftMs < 1 || nameParts === undefined || context.signal?.aborted) return;
    const source = boundedSource(
      { dialect, relation: nameParts, maxRows: MAX_ROWS },
      batch.map(({ name }) => name),
      'sampled',
    );
    const counts = batch.flatMap((attribute) => aggregatesOf(attribute, dialect));
    const sql = `SELECT COUNT(*), ${counts.join(', ')} FROM ${source}`;
    const { rows } = await query(sql, { maxRows: 1, timeoutMs: leftMs, access: 'read', context });
    const [total, ...cells] = rows[0] ?? [];
    if (total === undefined) return;
    const isWhole = countOf(total) < MAX_ROWS;
    for (const attribute of batch) {
      const filled = countOf(cells.shift());
      const values: Value[] = [];
      if (isText(attribute)) {
        const empty = countOf(cells.shift());
        const placeholder = cells.shift() ?? null;
        if (placeholder !== null) values.push(placeholder);
        if (empty > 0) values.push('');
      }
      const [least, greatest] = isOrdered(attribute) ? [cells.shift() ?? null, cells.shift() ?? null] : [null, null];
      if (filled < countOf(total)) values.push(null);
      const range = isWhole && least !== null && greatest !== null ? ([least, greatest] as const) : undefined;
      found[attribute.id] = range === undefined ? { values, isWhole } : { values, isWhole, range };
    }
  };
  const limiter = pLimit(CONCURRENCY);
  const batches = [...Map.groupBy(asked, ({ relation }) => relation).values()].flatMap((all) =>
    Array.from({ length: Math.ceil(all.length / BATCH) }, (_, at) => all.slice(at * BATCH, (at + 1) * BATCH)),
  );
  await Promise.all(batches.map((batch) => limiter(() => ask(batch).catch(() => undefined))));
  throwIfAborted(context.signal, 'Looking for missing values');
  return found;
}

/** Cells that have a value; of texts how many are empty, and a placeholder; of what is ordered the ends. */
function aggregatesOf(attribute: Attribute, dialect: Adapter['dialect']): readonly string[] {
  const cell = quoteIdentifier(attribute.name, dialect);
  if (isOrdered(attribute)) return [`COUNT(${cell})`, `MIN(${cell})`, `MAX(${cell})`];
  if (!isText(attribute)) return [`COUNT(${cell})`];
  const written = `CAST(${cell} AS ${castType('TEXT', dialect)})`;
  const placeholders = PLACEHOLDERS.map((text) => quoteString(text, dialect)).join(', ');
  return [
    `COUNT(${cell})`,
    `SUM(CASE WHEN ${written} = '' THEN 1 ELSE 0 END)`,
    `MAX(CASE WHEN ${written} IN (${placeholders}) THEN ${written} END)`,
  ];
}

function isOrdered({ type }: Attribute): boolean {
  return type === 'NUMERIC' || type === 'DATETIME';
}

function isText({ type }: Attribute): boolean {
  return type === 'TEXT';
}
