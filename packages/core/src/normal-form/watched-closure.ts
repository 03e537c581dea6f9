import type { FunctionalDependency } from './functional-dependency.ts';

/** All that these attributes determine; with `ignored`, without the dependencies for which it holds. */
export type WatchedClosure = (
  attributes: Iterable<string>,
  ignored?: (dependency: number) => boolean,
) => ReadonlySet<string>;

/**
 * Closures with one watched attribute for each dependency, in the manner of unit propagation (Moskewicz et al., Chaff, DAC 2001): a dependency
 * waits at one attribute of its left side that is missing; when that one is reached, it moves to the next missing one, and fires where there is
 * none. It shares nothing with the engine that made what is checked, and works on names.
 */
export function watchedClosure(dependencies: readonly FunctionalDependency[]): WatchedClosure {
  const firstWatched = new Map<string, number[]>();
  const free: number[] = [];
  for (const [at, { left }] of dependencies.entries()) {
    const [watched] = left;
    if (watched === undefined) free.push(at);
    else append(firstWatched, watched, at);
  }
  return (attributes, ignored) => {
    const reached = new Set(attributes);
    const waiting = new Map<string, number[]>();
    const fire = (at: number): void => {
      if (ignored?.(at) === true) return;
      for (const attribute of dependencies[at]?.right ?? []) reached.add(attribute);
    };
    for (const at of free) fire(at);
    // A set goes on to what is added while it is walked through.
    for (const attribute of reached) {
      for (const at of [...(firstWatched.get(attribute) ?? []), ...(waiting.get(attribute) ?? [])]) {
        const missing = dependencies[at]?.left.find((each) => !reached.has(each));
        if (missing === undefined) fire(at);
        else append(waiting, missing, at);
      }
    }
    return reached;
  };
}

function append(lists: Map<string, number[]>, name: string, value: number): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [value]);
  else list.push(value);
}
