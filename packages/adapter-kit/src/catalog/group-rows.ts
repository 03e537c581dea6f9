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
