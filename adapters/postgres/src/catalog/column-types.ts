import { type DataType, logicalType } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import type { WireRow } from '../connection/wire.ts';
import type { TypeUse } from './catalog-queries.ts';

/** What the catalog says of a column's type. */
export interface ColumnType {
  readonly nativeType: string;
  readonly type: DataType;
  /** Its domain is NOT NULL. */
  readonly notNull: boolean;
  /** Where it is not the type's own. */
  readonly collation: string | undefined;
}

/** So many labels of an enumeration stand in its type; more of them would fill a prompt. */
const MAX_LABELS = 50;

/** Columns with equal keys have one and the same type. */
export const typeKey = ({ type, modifier, collation }: TypeUse): string => `${type} ${modifier} ${collation}`;

/** The types by their keys, of the rows of `typesQuery` for these uses; none for a type that is gone. */
export function describeTypes(
  uses: readonly TypeUse[],
  rows: readonly WireRow[],
  labels: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, ColumnType> {
  const types = new Map<string, ColumnType>();
  for (const [place, name, base, enumeration, notNull, collation] of rows) {
    const use = uses[Number(place) - 1];
    if (use === undefined) continue;
    types.set(typeKey(use), {
      nativeType: nativeTypeOf(name ?? '', base, labels.get(enumeration ?? '')),
      // A domain is what its base type is.
      type: logicalType(base ?? name ?? '', postgresDialect),
      notNull: notNull === 't',
      collation: collation ?? undefined,
    });
  }
  return types;
}

/** `mood (enum: 'happy', 'sad')`, `email (domain: text)`: what a reader of the catalog could not know from the name alone. */
function nativeTypeOf(type: string, base: string | null | undefined, labels: readonly string[] | undefined): string {
  if (labels !== undefined) {
    const shown = labels.slice(0, MAX_LABELS).map((label) => `'${label.replaceAll("'", "''")}'`);
    return `${type} (enum: ${shown.join(', ')}${labels.length > MAX_LABELS ? ', …' : ''})`;
  }
  return base === null || base === undefined ? type : `${type} (domain: ${base})`;
}
