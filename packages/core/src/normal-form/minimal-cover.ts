import type { FunctionalDependency } from './functional-dependency.ts';
import { coverOf } from './indexed-cover.ts';
import { indexDependencies, namedDependency } from './indexed-scheme.ts';

/**
 * An equivalent set of dependencies with nothing superfluous: no attribute of a left side can be left out, no right side follows from the rest,
 * and each left side has one dependency (Maier, The theory of relational databases, 1983, chapter 5). There may be several minimal covers;
 * `attributes` says which names count as earlier and makes the outcome independent of the order of the dependencies. Without it, names count
 * in the order in which the dependencies bring them.
 *
 * @throws AskemaError `INPUT_INVALID` for a name that is empty or stands twice in one set.
 */
export function minimalCover(
  dependencies: readonly FunctionalDependency[],
  attributes: readonly string[] = [],
): readonly FunctionalDependency[] {
  const scheme = indexDependencies(dependencies, attributes);
  return coverOf(scheme.names.length, scheme.dependencies).map((dependency) => namedDependency(dependency, scheme));
}
