import { quoteIdentifier } from '../adapter/quote-name.ts';
import { isComparable } from '../explore/column-profile.ts';
import { boundedSource } from '../explore/profile-statement.ts';
import type { Attribute, RelationId } from '../schema/schema.ts';
import type { Row } from '../values/value.ts';
import { CHECK_DEFAULTS, type RowsHost } from './check-options.ts';

/** The rows of a table that were read. */
export interface ReadRows {
  readonly attributes: readonly Attribute[];
  readonly rows: readonly Row[];
  /** False where the table has more: those that the engine gave first speak for all. */
  readonly whole: boolean;
  readonly cut?: 'rows' | 'bytes' | undefined;
  /** Attributes that were not read, and why. */
  readonly leftOut: readonly {
    readonly attribute: string;
    readonly reason: 'too many attributes' | 'not comparable';
  }[];
}

/**
 * Reads the first rows that the engine gives, at most `maxRows`: no dialect here draws at random without reading everything, so that a table that is
 * stored in some order gives a piece of that order.
 *
 * Rejects with the errors of the executor.
 */
export async function readRows(host: RowsHost, relation: RelationId): Promise<ReadRows> {
  const { adapter, checked, maxRows, maxAttributes, context } = host;
  const { catalog, index } = checked;
  const all = index.attributesOf(relation);
  const comparable = all.filter((attribute) => isComparable(attribute, catalog.attributes[attribute.id]));
  const attributes = comparable.slice(0, maxAttributes);
  const leftOut = all
    .filter((attribute) => !attributes.includes(attribute))
    .map((attribute) => ({
      attribute: attribute.name,
      reason: comparable.includes(attribute) ? ('too many attributes' as const) : ('not comparable' as const),
    }));
  const nameParts = catalog.relations[relation]?.nameParts;
  if (attributes.length === 0 || nameParts === undefined) return { attributes, rows: [], whole: true, leftOut };
  const names = attributes.map(({ name }) => name);
  const { dialect } = adapter;
  // One row more than is kept tells whether there are more.
  const source = boundedSource({ dialect, relation: nameParts, maxRows: maxRows + 1 }, names, 'sampled');
  const cells = names.map((name) => quoteIdentifier(name, dialect)).join(', ');
  const { rows, truncated } = await adapter.query(`SELECT ${cells} FROM ${source}`, {
    maxRows: maxRows + 1,
    maxBytes: CHECK_DEFAULTS.maxBytes,
    timeoutMs: Math.max(1, Math.floor(host.remainingMs())),
    access: 'read',
    context,
  });
  const isMore = rows.length > maxRows;
  const cut = isMore ? 'rows' : truncated;
  return { attributes, rows: isMore ? rows.slice(0, maxRows) : rows, whole: cut === undefined, cut, leftOut };
}
