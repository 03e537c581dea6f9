import type { JoinGraph, NodeColumn } from './join-graph.ts';

/** What is known at the start. */
export interface Known {
  /** Relations of which one row is given. */
  readonly nodes?: readonly number[] | undefined;
  /** Columns whose value is given. */
  readonly columns?: readonly NodeColumn[] | undefined;
}

/** What follows from it. */
export interface Determined {
  /** Relations of which at most one row is left, and those of which nothing can be said. */
  readonly nodes: ReadonlySet<number>;
  has(column: NodeColumn): boolean;
}

/**
 * Closes what is known under the joins of a block: equal columns share their value, a whole key leaves one row of its relation, one row
 * gives all of its columns. So the rows of a relation are repeated by a join exactly when they do not determine all other relations
 * (attribute closure under functional dependencies: Abiteboul, Hull, Vianu, Foundations of Databases, chapter 8).
 *
 * With `trusting` a relation of which no key is known counts as determined as soon as one of its columns is: for rules that must not
 * claim what the catalog does not say.
 */
export function determine(graph: JoinGraph, known: Known, { trusting = false } = {}): Determined {
  const nodes = new Set(known.nodes);
  const columns = new Set<string>();
  const id = (column: NodeColumn): string => `${column.relation} ${column.key}`;
  const has = (column: NodeColumn): boolean => nodes.has(column.relation) || columns.has(id(column));
  for (const column of [...(known.columns ?? []), ...graph.fixed]) columns.add(id(column));
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const { left, right } of graph.links)
      for (const [from, to] of [
        [left, right],
        [right, left],
      ] as const)
        if (has(from) && !has(to)) {
          columns.add(id(to));
          isChanged = true;
        }
    for (const { relation, keys, resolved } of graph.nodes) {
      if (nodes.has(relation)) continue;
      const isDetermined =
        keys === undefined
          ? trusting &&
            (resolved.kind !== 'relation' ||
              graph.links.some(({ left, right }) =>
                [left, right].some((side) => side.relation === relation && has(side)),
              ))
          : keys.some((key) => key.every((member) => columns.has(`${relation} ${member}`)));
      if (!isDetermined) continue;
      nodes.add(relation);
      isChanged = true;
    }
  }
  return { nodes, has };
}
