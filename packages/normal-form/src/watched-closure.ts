import type { FunctionalDependency } from './functional-dependency.ts';

/** Closures as the checker of certificates computes them. Names that are not known determine nothing. */
export interface WatchedClosure {
  /**
   * True when `left` determines all of `right`; ends as soon as that is known. The dependencies for which `ignored`
   * holds do not count.
   */
  determines(left: readonly string[], right: readonly string[], ignored?: (dependency: number) => boolean): boolean;
  /** All that these attributes determine, as a test of names that goes on to hold. */
  reachedBy(left: readonly string[]): (attribute: string) => boolean;
}

/**
 * Closures with one watched attribute for each dependency, in the manner of unit propagation (Moskewicz et al., Chaff,
 * DAC 2001): a dependency waits at one attribute of its left side that is missing; when that one is reached, it moves
 * to the next missing one, and fires where there is none. It shares no code with the engine that made what is checked.
 */
export function watchedClosure(dependencies: readonly FunctionalDependency[]): WatchedClosure {
  const positions = new Map<string, number>();
  const position = (name: string): number => {
    const known = positions.get(name) ?? positions.size;
    if (known === positions.size) positions.set(name, known);
    return known;
  };
  const lefts = dependencies.map(({ left }) => left.map(position));
  const rights = dependencies.map(({ right }) => right.map(position));
  const count = positions.size;
  const initial: number[][] = Array.from({ length: count }, () => []);
  const free: number[] = [];
  for (const [at, [watched]] of lefts.entries()) {
    if (watched === undefined) free.push(at);
    else initial[watched]?.push(at);
  }
  // What was reached, and who moved to wait where, in the round whose number stands there; so nothing is cleared
  // between rounds.
  const reachedIn = new Int32Array(count);
  const movedIn = new Int32Array(count);
  const lastWaiting = new Int32Array(count);
  const waitsBehind = new Int32Array(dependencies.length);
  const queue = new Int32Array(count);
  let round = 0;
  let end = 0;

  const reach = (attribute: number): void => {
    if (reachedIn[attribute] === round) return;
    reachedIn[attribute] = round;
    queue[end] = attribute;
    end += 1;
  };
  /** Fires the dependency, or makes it wait at an attribute that is missing. */
  const visit = (at: number, ignored: ((dependency: number) => boolean) | undefined): void => {
    if (ignored?.(at) === true) return;
    const missing = lefts[at]?.find((attribute) => reachedIn[attribute] !== round);
    if (missing === undefined) {
      for (const attribute of rights[at] ?? []) reach(attribute);
      return;
    }
    waitsBehind[at] = movedIn[missing] === round ? (lastWaiting[missing] ?? -1) : -1;
    movedIn[missing] = round;
    lastWaiting[missing] = at;
  };
  const run = (
    left: readonly string[],
    wanted: readonly number[],
    ignored?: (dependency: number) => boolean,
  ): boolean => {
    round += 1;
    end = 0;
    for (const name of left) {
      const attribute = positions.get(name);
      if (attribute !== undefined) reach(attribute);
    }
    for (const at of free) visit(at, ignored);
    let open = 0;
    for (let next = 0; next < end; next += 1) {
      while (open < wanted.length && reachedIn[wanted[open] ?? 0] === round) open += 1;
      if (open === wanted.length && wanted.length > 0) return true;
      const attribute = queue[next] ?? 0;
      for (const at of initial[attribute] ?? []) visit(at, ignored);
      let waiting = movedIn[attribute] === round ? (lastWaiting[attribute] ?? -1) : -1;
      while (waiting >= 0) {
        const behind = waitsBehind[waiting] ?? -1;
        visit(waiting, ignored);
        waiting = behind;
      }
    }
    return wanted.every((attribute) => reachedIn[attribute] === round);
  };

  return {
    determines(left, right, ignored) {
      const wanted: number[] = [];
      for (const name of right) {
        const attribute = positions.get(name);
        if (attribute !== undefined) wanted.push(attribute);
        // No dependency names it: only the left side itself can hold it.
        else if (!left.includes(name)) return false;
      }
      return run(left, wanted, ignored);
    },
    reachedBy(left) {
      run(left, []);
      const reached = new Uint8Array(count);
      for (const attribute of queue.subarray(0, end)) reached[attribute] = 1;
      return (name) => {
        const attribute = positions.get(name);
        return attribute === undefined ? left.includes(name) : reached[attribute] === 1;
      };
    },
  };
}
