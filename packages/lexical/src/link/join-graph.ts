import type { Catalog, ForeignKey, RelationId, SchemaIndex } from '@askema/core';
import { inferForeignKeys } from './infer-foreign-keys.ts';

/** One join along a key. */
export interface JoinEdge {
  readonly from: RelationId;
  readonly to: RelationId;
  readonly foreignKey: ForeignKey;
  /** `forward` follows the key; `backward` goes against it. */
  readonly direction: 'forward' | 'backward';
  /** True when one row of `from` has at most one partner: always forward, and backward where the key is unique. */
  readonly functional: boolean;
  /** The same for the way back. */
  readonly backFunctional: boolean;
  readonly inferred: boolean;
  readonly cost: number;
}

export type JoinRoute = readonly JoinEdge[];

/** Relations and the keys between them, declared or inferred, with the nearest ways. */
export interface JoinGraph {
  /** Keys of the relation, declared ones first. */
  keysFrom(relation: RelationId): readonly ForeignKey[];
  edges(relation: RelationId): readonly JoinEdge[];
  /** The cost of the cheapest way; undefined when there is none of at most {@link MAX_STEPS} steps. */
  distance(from: RelationId, to: RelationId): number | undefined;
  /** Relations within reach with their distance, itself included. */
  reach(from: RelationId): ReadonlyMap<RelationId, number>;
  /**
   * All cheapest ways, in a fixed order; more than one means that the words must decide. `[[]]` from a relation to
   * itself.
   */
  routes(from: RelationId, to: RelationId): readonly JoinRoute[];
  /** True when there is a way of at most {@link MAX_STEPS} steps that shares no relation in between with this one. */
  hasDetour(route: JoinRoute): boolean;
  /** True when keys lead from the one to the other, in however many steps. */
  isConnected(from: RelationId, to: RelationId): boolean;
}

const MAX_STEPS = 4;
const MAX_REACHED = 1_500;
const MAX_ROUTES = 16;
const FORWARD = 0.12;
const BACKWARD = 0.15;
const INFERRED = 0.12;

export function createJoinGraph(catalog: Catalog, index: SchemaIndex): JoinGraph {
  const inferred = inferForeignKeys(catalog, index);
  const inferredFrom = Map.groupBy(inferred, ({ relation }) => relation);
  const edgesOf = collectEdges(catalog, index, inferred);
  const reached = new Map<RelationId, ReadonlyMap<RelationId, number>>();
  const reach = (from: RelationId): ReadonlyMap<RelationId, number> => {
    const known = reached.get(from);
    if (known !== undefined) return known;
    const computed = cheapestDistances(from, edgesOf);
    reached.set(from, computed);
    return computed;
  };
  return {
    keysFrom(relation) {
      const [declared, others] = [index.foreignKeysFrom(relation), inferredFrom.get(relation)];
      return others === undefined ? declared : [...declared, ...others];
    },
    edges: edgesOf,
    reach,
    distance: (from, to) => reach(from).get(to),
    routes(from, to) {
      const total = reach(from).get(to);
      if (total === undefined) return [];
      const found: JoinRoute[] = [];
      walk(from, to, total, [], edgesOf, reach(to), found);
      return found;
    },
    hasDetour: (route) => hasDetour(route, edgesOf),
    isConnected: (from, to) => isConnected(from, to, edgesOf),
  };
}

function isConnected(
  from: RelationId,
  to: RelationId,
  edgesOf: (relation: RelationId) => readonly JoinEdge[],
): boolean {
  const seen = new Set([from]);
  for (const relation of seen) for (const edge of edgesOf(relation)) seen.add(edge.to);
  return seen.has(to);
}

/** Breadth first around the relations of the route. */
function hasDetour(route: JoinRoute, edgesOf: (relation: RelationId) => readonly JoinEdge[]): boolean {
  const start = route[0]?.from;
  const target = route[route.length - 1]?.to;
  if (start === undefined || target === undefined || route.length < 2) return false;
  const visited = new Set<RelationId>([start, ...route.slice(0, -1).map(({ to }) => to)]);
  let frontier: RelationId[] = [start];
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const next: RelationId[] = [];
    for (const relation of frontier) {
      for (const { to } of edgesOf(relation)) {
        if (to === target && (relation !== start || step > 0)) return true;
        if (to === target || visited.has(to) || visited.size > MAX_REACHED) continue;
        visited.add(to);
        next.push(to);
      }
    }
    frontier = next;
  }
  return false;
}

/** Of a relation in the order of its keys, made when they are asked for: a question asks for those of few. */
function collectEdges(
  catalog: Catalog,
  index: SchemaIndex,
  inferred: readonly ForeignKey[],
): (relation: RelationId) => readonly JoinEdge[] {
  const outgoing = Map.groupBy(inferred, ({ relation }) => relation);
  const incoming = Map.groupBy(inferred, ({ target }) => target);
  const keysOf = (id: RelationId): readonly (readonly [foreignKey: ForeignKey, inferred: boolean])[] => {
    const declared = [...index.foreignKeysFrom(id), ...index.foreignKeysTo(id)];
    const others = [...(outgoing.get(id) ?? []), ...(incoming.get(id) ?? [])];
    return [
      ...declared.map((key) => [key, catalog.keyStanding[key.id] === 'inferred'] as const),
      ...others.map((key) => [key, true] as const),
    ];
  };
  const uniqueKeys = Map.groupBy(catalog.uniqueKeys, ({ relation }) => relation);
  const edges = new Map<RelationId, readonly JoinEdge[]>();
  return (relation) => {
    const known = edges.get(relation);
    if (known !== undefined) return known;
    const own = new Map<string, readonly JoinEdge[]>();
    for (const [foreignKey, isInferred] of keysOf(relation)) {
      if (own.has(foreignKey.id) || foreignKey.pairs.length === 0) continue;
      const unique = isUniqueKey(uniqueKeys.get(foreignKey.relation) ?? [], index, foreignKey);
      const both = edgesAlong(foreignKey, isInferred, unique);
      own.set(
        foreignKey.id,
        both.filter(({ from }) => from === relation),
      );
    }
    const made = [...own.values()].flat();
    edges.set(relation, made);
    return made;
  };
}

/** There and back. */
function edgesAlong(foreignKey: ForeignKey, inferred: boolean, unique: boolean): readonly JoinEdge[] {
  const { relation, target } = foreignKey;
  const extra = inferred ? INFERRED : 0;
  return [
    {
      foreignKey,
      inferred,
      from: relation,
      to: target,
      direction: 'forward',
      functional: true,
      backFunctional: unique,
      cost: FORWARD + extra,
    },
    {
      foreignKey,
      inferred,
      from: target,
      to: relation,
      direction: 'backward',
      functional: unique,
      backFunctional: true,
      cost: (unique ? FORWARD : BACKWARD) + extra,
    },
  ];
}

/** True when no two rows can hold the same key: its attributes contain a key of their relation. */
function isUniqueKey(uniqueKeys: Catalog['uniqueKeys'], index: SchemaIndex, foreignKey: ForeignKey): boolean {
  const own = new Set(foreignKey.pairs.map((pair) => pair.from));
  const covers = (attributes: readonly string[]): boolean =>
    attributes.length > 0 && attributes.every((id) => own.has(id));
  if (covers(index.primaryKey(foreignKey.relation)?.attributes ?? [])) return true;
  if ([...own].some((id) => index.constraintsOn(id).includes('unique'))) return true;
  return uniqueKeys.some(({ attributes }) => covers(attributes));
}

/** Dijkstra's algorithm over so few nodes that sorting the frontier is cheap; bounded in steps and nodes. */
function cheapestDistances(
  from: RelationId,
  edgesOf: (relation: RelationId) => readonly JoinEdge[],
): ReadonlyMap<RelationId, number> {
  const distances = new Map<RelationId, number>([[from, 0]]);
  let frontier: ReadonlyMap<RelationId, number> = new Map([[from, 0]]);
  for (let step = 0; step < MAX_STEPS && frontier.size > 0; step += 1) {
    const next = new Map<RelationId, number>();
    for (const [relation, cost] of frontier) {
      for (const edge of edgesOf(relation)) {
        const total = cost + edge.cost;
        if (total >= (distances.get(edge.to) ?? Number.POSITIVE_INFINITY)) continue;
        if (!distances.has(edge.to) && distances.size >= MAX_REACHED) continue;
        distances.set(edge.to, total);
        next.set(edge.to, total);
      }
    }
    frontier = next;
  }
  return distances;
}

const TOLERANCE = 1e-9;

function walk(
  at: RelationId,
  to: RelationId,
  budget: number,
  steps: readonly JoinEdge[],
  edgesOf: (relation: RelationId) => readonly JoinEdge[],
  toTarget: ReadonlyMap<RelationId, number>,
  found: JoinRoute[],
): void {
  if (at === to) {
    found.push(steps);
    return;
  }
  for (const edge of edgesOf(at)) {
    if (found.length >= MAX_ROUTES) return;
    const rest = budget - edge.cost;
    if (rest < -TOLERANCE || (edge.to !== to && !reachesWithin(toTarget, edge.to, rest))) continue;
    if (steps.some((step) => step.from === edge.to)) continue;
    walk(edge.to, to, rest, [...steps, edge], edgesOf, toTarget, found);
  }
}

/** A bound from below: going back costs at least as much as `FORWARD` for each `BACKWARD`. */
function reachesWithin(toTarget: ReadonlyMap<RelationId, number>, relation: RelationId, rest: number): boolean {
  const back = toTarget.get(relation);
  return back !== undefined && rest > TOLERANCE && back * (FORWARD / BACKWARD) <= rest + TOLERANCE;
}
