import type { FunctionalDependency } from './functional-dependency.ts';
import { type IndexedDependency, indexDependencies, namesOf } from './indexed-scheme.ts';

/**
 * All attributes that the given ones determine: the given ones first, then the others as they are reached. Linear in
 * the size of the dependencies (Beeri and Bernstein, Computational problems related to the design of normal form
 * relational schemas, TODS 4(1), 1979).
 *
 * @throws AskemaError `INPUT_INVALID` for a name that is empty or occurs twice in one set.
 */
export function attributeClosure(
  attributes: readonly string[],
  dependencies: readonly FunctionalDependency[],
): readonly string[] {
  const scheme = indexDependencies(dependencies, attributes);
  const engine = createClosureEngine(scheme.names.length, scheme.dependencies);
  engine.close(attributes.map((_, position) => position));
  return namesOf(engine.reached(), scheme);
}

/** What a closure leaves out. */
interface ClosureOptions {
  /** Ends as soon as this attribute is reached. */
  readonly until?: number | undefined;
  /** The right side `without.attribute` of the dependency at `without.dependency` does not count. */
  readonly without?: { readonly dependency: number; readonly attribute: number } | undefined;
}

/** Closures over one set of dependencies, again and again; what `has` and `reached` say is of the last `close`. */
export interface ClosureEngine {
  /** Returns how many attributes were reached, those of the seed included. */
  close(seed: readonly number[], options?: ClosureOptions): number;
  has(attribute: number): boolean;
  hasAll(attributes: readonly number[]): boolean;
  /** In the order in which they were reached. */
  reached(): number[];
  /** The dependencies that reached something new, in their order. */
  fired(): readonly number[];
}

/**
 * The linear closure of Beeri and Bernstein (1979, algorithm LINCLOSURE): each dependency counts the attributes of its
 * left side that are missing, and fires at zero. Counters are valid for the closure whose number they carry, so that
 * nothing is reset between closures: one costs no more than the dependencies that it touches.
 *
 * Right sides are read at each closure: a caller may shorten those of its array in between. Left sides must stay.
 */
export function createClosureEngine(attributeCount: number, dependencies: readonly IndexedDependency[]): ClosureEngine {
  const users: number[][] = Array.from({ length: attributeCount }, () => []);
  const withoutLeft: number[] = [];
  const sizes = new Int32Array(dependencies.length);
  for (const [at, { left }] of dependencies.entries()) {
    sizes[at] = left.length;
    if (left.length === 0) withoutLeft.push(at);
    for (const attribute of left) users[attribute]?.push(at);
  }
  const reachedIn = new Int32Array(attributeCount);
  const countedIn = new Int32Array(dependencies.length);
  const missing = new Int32Array(dependencies.length);
  const queue = new Int32Array(attributeCount);
  let fired: number[] = [];
  let round = 0;
  let end = 0;

  const reach = (attribute: number): void => {
    if (reachedIn[attribute] === round) return;
    reachedIn[attribute] = round;
    queue[end] = attribute;
    end += 1;
  };
  const fire = (at: number, without: ClosureOptions['without']): void => {
    const before = end;
    const spared = without?.dependency === at ? without.attribute : -1;
    for (const attribute of dependencies[at]?.right ?? []) if (attribute !== spared) reach(attribute);
    if (end > before) fired.push(at);
  };

  return {
    close(seed, { until = -1, without } = {}) {
      round += 1;
      end = 0;
      fired = [];
      for (const attribute of seed) reach(attribute);
      for (const at of withoutLeft) fire(at, without);
      for (let next = 0; next < end; next += 1) {
        if (until >= 0 && reachedIn[until] === round) break;
        for (const at of users[queue[next] ?? 0] ?? []) {
          if (countedIn[at] !== round) {
            countedIn[at] = round;
            missing[at] = sizes[at] ?? 0;
          }
          missing[at] = (missing[at] ?? 0) - 1;
          if (missing[at] === 0) fire(at, without);
        }
      }
      return end;
    },
    has: (attribute) => reachedIn[attribute] === round,
    hasAll: (attributes) => attributes.every((attribute) => reachedIn[attribute] === round),
    reached: () => [...queue.subarray(0, end)],
    fired: () => fired,
  };
}
