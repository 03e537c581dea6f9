import type { DraftForeignKey } from '@askema/core';

/**
 * Rows of metadata by what they belong to. `partsOf` names that, as `[schema, relation]`; the result gives the rows of
 * such parts in their order, none where there are none.
 */
export function groupRows<Row>(
  rows: Iterable<Row>,
  partsOf: (row: Row) => readonly unknown[],
): (...parts: readonly unknown[]) => readonly Row[] {
  const groups = Map.groupBy(rows, (row) => JSON.stringify(partsOf(row)));
  return (...parts) => groups.get(JSON.stringify(parts)) ?? [];
}

/**
 * Rows of which several make one thing, as the columns of a key do: one list each, in the order of their first rows.
 */
export function gatherRows<Row>(rows: Iterable<Row>, idOf: (row: Row) => unknown): readonly (readonly Row[])[] {
  return [...Map.groupBy(rows, idOf).values()];
}

/**
 * Keys of rows of metadata, a row a column of a key, by their ids in the order of their first rows.
 *
 * @param read a column that is null is none (an expression): such a key is left out.
 */
export function keysOf<Row, Id>(
  rows: Iterable<Row>,
  read: (row: Row) => { readonly id: Id; readonly column: string | null },
): ReadonlyMap<Id, readonly string[]> {
  const keys = new Map<Id, readonly string[]>();
  for (const [id, parts] of Map.groupBy(Array.from(rows, read), (part) => part.id)) {
    const columns = parts.flatMap(({ column }) => column ?? []);
    if (columns.length === parts.length) keys.set(id, columns);
  }
  return keys;
}

/**
 * Foreign keys of rows of metadata, a row a column of a key.
 *
 * @param read without all its target columns a key refers to the primary key.
 */
export function foreignKeysOf<Row>(
  rows: Iterable<Row>,
  read: (row: Row) => {
    readonly id: unknown;
    readonly column: string;
    readonly target: DraftForeignKey['target'];
    readonly targetColumn: string | null;
  },
): DraftForeignKey[] {
  const keys = gatherRows(Array.from(rows, read), ({ id }) => id);
  return keys.flatMap((parts): DraftForeignKey[] => {
    const [first] = parts;
    if (first === undefined) return [];
    const targets = parts.flatMap(({ targetColumn }) => targetColumn ?? []);
    return [
      {
        attributes: parts.map(({ column }) => column),
        target: first.target,
        targetAttributes: targets.length === parts.length ? targets : undefined,
      },
    ];
  });
}
