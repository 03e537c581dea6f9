import { createClosureEngine } from './attribute-closure.ts';
import type { FunctionalDependency } from './functional-dependency.ts';
import { type IndexedDependency, indexDependencies, namedDependency } from './indexed-scheme.ts';

/**
 * An equivalent set of dependencies with nothing superfluous: no attribute of a left side can be left out, no right
 * side follows from the rest, and each left side has one dependency (Maier, The theory of relational databases, 1983,
 * chapter 5). There may be several minimal covers; `attributes` says which names count as earlier and makes the outcome
 * independent of the order of the dependencies. Without it, names count in the order in which the dependencies bring
 * them.
 *
 * @throws AskemaError `INPUT_INVALID` for a name that is empty or occurs twice in one set.
 */
export function minimalCover(
  dependencies: readonly FunctionalDependency[],
  attributes: readonly string[] = [],
): readonly FunctionalDependency[] {
  const scheme = indexDependencies(dependencies, attributes);
  return coverOf(scheme.names.length, scheme.dependencies).map((dependency) => namedDependency(dependency, scheme));
}

/** A dependency whose right side still shrinks. */
interface Group {
  readonly left: readonly number[];
  right: number[];
}

/**
 * A minimal cover over positions: an equivalent set without superfluous attributes on a left side, without a
 * superfluous right side, and with one dependency for each left side (Maier, The theory of relational databases, 1983,
 * chapter 5; grouped as in Bernstein 1976). Later attributes and longer left sides are given up first, so that the
 * outcome depends on the order of attributes only, never on that of the dependencies.
 */
export function coverOf(
  attributeCount: number,
  dependencies: readonly IndexedDependency[],
): readonly IndexedDependency[] {
  const reduced = grouped(reduceLeftSides(attributeCount, grouped(dependencies)));
  return withoutSuperfluous(attributeCount, reduced);
}

/** One dependency for each left side, without what stands on the left; shorter left sides first, then by position. */
function grouped(dependencies: readonly IndexedDependency[]): Group[] {
  const rights = new Map<string, { readonly left: readonly number[]; readonly right: Set<number> }>();
  for (const { left, right } of dependencies) {
    const key = left.join(',');
    let group = rights.get(key);
    if (group === undefined) {
      group = { left, right: new Set() };
      rights.set(key, group);
    }
    const own = new Set(left);
    for (const attribute of right) if (!own.has(attribute)) group.right.add(attribute);
  }
  return [...rights.values()]
    .filter(({ right }) => right.size > 0)
    .map(({ left, right }) => ({ left, right: [...right].sort((a, b) => a - b) }))
    .sort((a, b) => compareSets(a.left, b.left));
}

/** Fewer attributes first, then by position. */
export function compareSets(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) return a.length - b.length;
  for (const [at, attribute] of a.entries()) {
    const difference = attribute - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Leaves attributes out of left sides where the rest determines as much. Right sides that give up the same attribute go
 * on together, which saves closures: all of them are over the dependencies as they were, which stay equivalent
 * throughout.
 */
function reduceLeftSides(attributeCount: number, groups: readonly Group[]): IndexedDependency[] {
  const engine = createClosureEngine(attributeCount, groups);
  const reduced: IndexedDependency[] = [];
  const open = groups.map(({ left, right }) => ({ left, right, next: left.length - 1 }));
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    let { right } = item;
    for (let at = item.next; at >= 0 && right.length > 0; at -= 1) {
      const left = item.left.filter((_, position) => position !== at);
      engine.close(left);
      const moved = right.filter((attribute) => engine.has(attribute));
      if (moved.length === 0) continue;
      right = right.filter((attribute) => !engine.has(attribute));
      open.push({ left, right: moved, next: at - 1 });
    }
    if (right.length > 0) reduced.push({ left: item.left, right });
  }
  return reduced;
}

/** Leaves right sides out that the other dependencies imply. An attribute on one right side only is never implied. */
function withoutSuperfluous(attributeCount: number, groups: Group[]): readonly IndexedDependency[] {
  const engine = createClosureEngine(attributeCount, groups);
  dropImplied(engine, groups, occurrences(attributeCount, groups));
  return groups.filter(({ right }) => right.length > 0);
}

/** On how many right sides each attribute stands. */
export function occurrences(attributeCount: number, dependencies: readonly IndexedDependency[]): Int32Array {
  const counts = new Int32Array(attributeCount);
  for (const { right } of dependencies) for (const attribute of right) counts[attribute] = (counts[attribute] ?? 0) + 1;
  return counts;
}

/**
 * Shortens the right sides of the groups, from the last to the first, by what follows without it. The groups are the
 * first dependencies of the engine; `counts` are {@link occurrences} over all of the engine's, and are kept.
 */
export function dropImplied(
  engine: ReturnType<typeof createClosureEngine>,
  groups: readonly Group[],
  counts: Int32Array,
): void {
  for (let dependency = groups.length - 1; dependency >= 0; dependency -= 1) {
    const group = groups[dependency];
    if (group === undefined) continue;
    for (const attribute of [...group.right].reverse()) {
      if ((counts[attribute] ?? 0) < 2) continue;
      engine.close(group.left, { until: attribute, without: { dependency, attribute } });
      if (!engine.has(attribute)) continue;
      group.right = group.right.filter((other) => other !== attribute);
      counts[attribute] = (counts[attribute] ?? 0) - 1;
    }
  }
}
