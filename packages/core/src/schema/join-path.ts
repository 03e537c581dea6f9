import type { ForeignKey, RelationId } from './schema.ts';
import type { SchemaIndex } from './schema-index.ts';

/** One join along a foreign key. */
export interface JoinStep {
  readonly from: RelationId;
  readonly to: RelationId;
  readonly foreignKey: ForeignKey;
  /** `forward` follows the key from its relation to its target; `backward` goes against it and may multiply rows. */
  readonly direction: 'forward' | 'backward';
}

/** Joins one after another; empty from a relation to itself. */
export type JoinPath = readonly JoinStep[];

/** Bounds of a search for join paths. */
export interface JoinPathOptions {
  /**
   * Schemas with many parallel keys have exponentially many shortest paths; only the first so many are listed. Default
   * 100.
   */
  readonly limit?: number | undefined;
  /** Longer paths do not count. Default: no bound. */
  readonly maxSteps?: number | undefined;
}

/**
 * All shortest join paths, breadth first; ordered by the schema's order of foreign keys, those of the relation before
 * those to it.
 */
export function findJoinPaths(
  index: SchemaIndex,
  from: RelationId,
  to: RelationId,
  options: JoinPathOptions = {},
): readonly JoinPath[] {
  if (index.relation(from) === undefined || index.relation(to) === undefined) return [];
  if (from === to) return [[]];
  const distances = distancesTo(index, to, from);
  const length = distances.get(from);
  if (length === undefined || length > (options.maxSteps ?? Number.POSITIVE_INFINITY)) return [];
  const paths: JoinPath[] = [];
  walk(index, from, to, distances, [], paths, options.limit ?? 100);
  return paths;
}

/** Steps from each relation to the target, until `until` is reached. */
function distancesTo(index: SchemaIndex, target: RelationId, until: RelationId): ReadonlyMap<RelationId, number> {
  const distances = new Map<RelationId, number>([[target, 0]]);
  let frontier: RelationId[] = [target];
  for (let distance = 1; frontier.length > 0 && !distances.has(until); distance += 1) {
    const next: RelationId[] = [];
    for (const relation of frontier) {
      for (const neighbour of index.neighbours(relation)) {
        if (distances.has(neighbour)) continue;
        distances.set(neighbour, distance);
        next.push(neighbour);
      }
    }
    frontier = next;
  }
  return distances;
}

/** Goes only where the distance falls, so that every walk ends at the target. */
function walk(
  index: SchemaIndex,
  at: RelationId,
  to: RelationId,
  distances: ReadonlyMap<RelationId, number>,
  steps: readonly JoinStep[],
  paths: JoinPath[],
  limit: number,
): void {
  if (at === to) {
    paths.push(steps);
    return;
  }
  const nearer = (distances.get(at) ?? 0) - 1;
  for (const step of stepsFrom(index, at)) {
    if (paths.length >= limit) return;
    if (distances.get(step.to) === nearer) walk(index, step.to, to, distances, [...steps, step], paths, limit);
  }
}

function stepsFrom(index: SchemaIndex, relation: RelationId): JoinStep[] {
  const forward = index
    .foreignKeysFrom(relation)
    .map((foreignKey): JoinStep => ({ from: relation, to: foreignKey.target, foreignKey, direction: 'forward' }));
  const backward = index
    .foreignKeysTo(relation)
    .map((foreignKey): JoinStep => ({ from: relation, to: foreignKey.relation, foreignKey, direction: 'backward' }));
  return [...forward, ...backward];
}
