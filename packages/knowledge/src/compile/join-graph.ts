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
/** Breadth first; it goes on from its last level where something farther is asked for. */
interface Search {
  readonly reached: Map<string, Reached>;
  level: readonly string[];
}

/** Of what is asked for, as it is asked for: few of many joins. Keys are names of datasets. */
interface JoinGraph {
  readonly relationships: ReadonlyMap<string, readonly BoundRelationship[]>;
  /** From a dataset, by the one that they enter. */
  readonly joins: Map<string, ReadonlyMap<string, readonly Join[]>>;
  /** What a dataset reaches from many to one, and what over any join. */
  readonly safe: Map<string, Search>;
  readonly any: Map<string, Search>;
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
  const safe = reach(keyOf(from), target, graph, 'safe');
  if (safe?.ambiguous !== undefined) return { kind: 'ambiguous', relationships: safe.ambiguous };
  if (safe !== undefined) return { kind: 'path', joins: safe.joins };
  const any = reach(keyOf(from), target, graph, 'any');
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
    graph = { relationships: byEnd(bound.relationships), joins: new Map(), safe: new Map(), any: new Map() };
    graphs.set(bound, graph);
  }
  return graph;
}

function byEnd(all: readonly BoundRelationship[]): Map<string, BoundRelationship[]> {
  const found = new Map<string, BoundRelationship[]>();
  for (const relationship of all) {
    if (relationship.from === relationship.to) continue;
    for (const end of [keyOf(relationship.from), keyOf(relationship.to)]) {
      const list = found.get(end);
      if (list === undefined) found.set(end, [relationship]);
      else list.push(relationship);
    }
  }
  return found;
}

function joinsFrom(name: string, { relationships, joins }: JoinGraph): ReadonlyMap<string, readonly Join[]> {
  const known = joins.get(name);
  if (known !== undefined) return known;
  const leaving = new Map<string, Join[]>();
  for (const relationship of relationships.get(name) ?? []) {
    const join = keyOf(relationship.from) === name ? forwards(relationship) : backwards(relationship);
    const target = keyOf(join.to);
    const same = leaving.get(target);
    if (same === undefined) leaving.set(target, [join]);
    // The same join under two names, of two models, is one.
    else if (!same.some((other) => columnsOf(other) === columnsOf(join))) same.push(join);
  }
  joins.set(name, leaving);
  return leaving;
}

function forwards(relationship: BoundRelationship): Join {
  const { from, to } = relationship;
  const pairs = relationship.pairs.map((pair) => ({ near: pair.from, far: pair.to }));
  return { relationship, from, to, pairs, repeats: false };
}

function backwards(relationship: BoundRelationship): Join {
  const { from, to } = relationship;
  const pairs = relationship.pairs.map((pair) => ({ near: pair.to, far: pair.from }));
  const columns = pairs.map(({ far }) => far.name);
  const isOne = relationship.relationship.isOneToOne === true || isKey(from, columns);
  return { relationship, from: to, to: from, pairs, repeats: !isOne };
}

function columnsOf({ pairs }: Join): string {
  return JSON.stringify(pairs.map(({ near, far }) => [near.name, far.name]).sort());
}

function isKey({ keys }: BoundDataset, columns: readonly string[]): boolean {
  const given = new Set(columns.map((column) => column.toLowerCase()));
  return keys.some((key) => key.length > 0 && key.every((column) => given.has(column.toLowerCase())));
}

function reach(start: string, target: string, graph: JoinGraph, which: 'safe' | 'any'): Reached | undefined {
  const search = graph[which].get(start) ?? { reached: new Map([[start, { joins: [] }]]), level: [start] };
  graph[which].set(start, search);
  while (!search.reached.has(target) && search.level.length > 0) goOn(search, graph, which);
  return search.reached.get(target);
}

/** A whole level, so that a second way of the same length is seen before anything builds on the first. */
function goOn(search: Search, graph: JoinGraph, which: 'safe' | 'any'): void {
  const { reached, level } = search;
  const next = new Map<string, Reached>();
  for (const name of level) {
    const here = reached.get(name) as Reached;
    for (const [target, joins] of joinsFrom(name, graph)) {
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
  search.level = [...next.keys()];
}
