import type { BoundDataset, BoundKnowledge, BoundRelationship, SourceColumn } from '../bind/bound-knowledge.ts';

/** One join, in the direction in which it is gone. */
export interface Join {
  readonly relationship: BoundRelationship;
  readonly from: BoundDataset;
  readonly to: BoundDataset;
  readonly pairs: readonly { readonly near: SourceColumn; readonly far: SourceColumn }[];
  /** A row of `from` may meet several of `to`. */
  readonly repeats: boolean;
}

/** How one dataset reaches another: the joins in order, or why there is no one way. */
export type JoinPath =
  | { readonly kind: 'path'; readonly joins: readonly Join[] }
  | { readonly kind: 'ambiguous'; readonly relationships: readonly [string, string] }
  | {
      readonly kind: 'fan-out';
      /** The first that repeats rows. */
      readonly join: Join;
      readonly joins: readonly Join[];
      /** Another way that repeats rows is as short. */
      readonly ambiguous?: readonly [string, string] | undefined;
    }
  | { readonly kind: 'none' };

interface Reached {
  readonly joins: readonly Join[];
  readonly ambiguous?: readonly [string, string] | undefined;
}
type Reach = ReadonlyMap<string, Reached>;

/** By the names of the datasets that they leave and enter. */
type Joins = ReadonlyMap<string, ReadonlyMap<string, readonly Join[]>>;

interface JoinGraph {
  readonly joins: Joins;
  /** What a dataset reaches from many to one, and what over any join; filled as they are asked for. */
  readonly safe: Map<string, Reach>;
  readonly any: Map<string, Reach>;
}

const graphs = new WeakMap<BoundKnowledge, JoinGraph>();

/**
 * The shortest way from one dataset to another. Ways from many to one come first; a way that repeats rows is a
 * `fan-out`. Two shortest ways that differ are ambiguous: a dimension that two foreign keys reach.
 */
export function joinPath(from: BoundDataset, to: BoundDataset, bound: BoundKnowledge): JoinPath {
  if (from === to) return { kind: 'path', joins: [] };
  const graph = graphOf(bound);
  const target = keyOf(to);
  const safe = reachOf(keyOf(from), graph, 'safe').get(target);
  if (safe?.ambiguous !== undefined) return { kind: 'ambiguous', relationships: safe.ambiguous };
  if (safe !== undefined) return { kind: 'path', joins: safe.joins };
  const any = reachOf(keyOf(from), graph, 'any').get(target);
  if (any === undefined) return { kind: 'none' };
  const { joins, ambiguous } = any;
  const join = joins.find(({ repeats }) => repeats);
  return join === undefined ? { kind: 'path', joins } : { kind: 'fan-out', join, joins, ambiguous };
}

/** True where each row of `from` meets at most one of `to`. */
export function reachesOne(from: BoundDataset, to: BoundDataset, bound: BoundKnowledge): boolean {
  return joinPath(from, to, bound).kind === 'path';
}

function keyOf({ dataset }: BoundDataset): string {
  return dataset.name.toLowerCase();
}

function graphOf(bound: BoundKnowledge): JoinGraph {
  let graph = graphs.get(bound);
  if (graph === undefined) {
    graph = { joins: joinsOf(bound.relationships), safe: new Map(), any: new Map() };
    graphs.set(bound, graph);
  }
  return graph;
}

function joinsOf(relationships: readonly BoundRelationship[]): Joins {
  const joins = new Map<string, Map<string, Join[]>>();
  const add = (from: string, to: string, join: Join): void => {
    const leaving = joins.get(from) ?? new Map<string, Join[]>();
    const same = leaving.get(to);
    if (same === undefined) joins.set(from, leaving.set(to, [join]));
    // The same join under two names, of two models, is one.
    else if (!same.some((other) => columnsOf(other) === columnsOf(join))) same.push(join);
  };
  for (const relationship of relationships) {
    const { from, to, pairs } = relationship;
    if (from === to) continue;
    const isOne =
      relationship.relationship.isOneToOne === true ||
      isKey(
        from,
        pairs.map((pair) => pair.from.name),
      );
    const [many, one] = [keyOf(from), keyOf(to)];
    const back = pairs.map((pair) => ({ near: pair.to, far: pair.from }));
    const there = pairs.map((pair) => ({ near: pair.from, far: pair.to }));
    add(many, one, { relationship, from, to, pairs: there, repeats: false });
    add(one, many, { relationship, from: to, to: from, pairs: back, repeats: !isOne });
  }
  return joins;
}

function columnsOf({ pairs }: Join): string {
  return JSON.stringify(pairs.map(({ near, far }) => [near.name, far.name]).sort());
}

function isKey({ keys }: BoundDataset, columns: readonly string[]): boolean {
  const given = new Set(columns.map((column) => column.toLowerCase()));
  return keys.some((key) => key.length > 0 && key.every((column) => given.has(column.toLowerCase())));
}

/** Breadth first, level by level, so that a second way of the same length is seen before anything builds on the first. */
function reachOf(start: string, graph: JoinGraph, which: 'safe' | 'any'): Reach {
  const known = graph[which].get(start);
  if (known !== undefined) return known;
  const reached = new Map<string, Reached>([[start, { joins: [] }]]);
  let level = [start];
  while (level.length > 0) {
    const next = new Map<string, Reached>();
    for (const name of level) {
      const here = reached.get(name) as Reached;
      for (const [target, joins] of graph.joins.get(name) ?? []) {
        if (reached.has(target)) continue;
        for (const join of joins) {
          if (which === 'safe' && join.repeats) continue;
          const other = next.get(target)?.joins.at(-1);
          const ambiguous =
            other === undefined
              ? here.ambiguous
              : ([other.relationship.relationship.name, join.relationship.relationship.name] as const);
          next.set(target, { joins: next.get(target)?.joins ?? [...here.joins, join], ambiguous });
        }
      }
    }
    for (const [name, way] of next) reached.set(name, way);
    level = [...next.keys()];
  }
  graph[which].set(start, reached);
  return reached;
}
