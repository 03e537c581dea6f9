import { createClosureEngine } from './closure-engine.ts';
import type { FunctionalDependency } from './functional-dependency.ts';
import { indexDependencies, namesOf } from './indexed-scheme.ts';

/**
 * All attributes that the given ones determine: the given ones first, then the others as they are reached. Linear in the size of the
 * dependencies (Beeri and Bernstein, Computational problems related to the design of normal form relational schemas, TODS 4(1), 1979).
 *
 * @throws AskemaError `INPUT_INVALID` for a name that is empty or stands twice in one set.
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
