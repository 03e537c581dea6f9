import fc from 'fast-check';
import type { FunctionalDependency, RelationScheme } from '../functional-dependency.ts';

interface SchemeSizes {
  readonly attributes: { readonly min: number; readonly max: number };
  readonly dependencies: { readonly min: number; readonly max: number };
}

/** Relations with random dependencies: left sides of none to three attributes, right sides of one to three. */
export function randomScheme({ attributes, dependencies }: SchemeSizes): fc.Arbitrary<RelationScheme> {
  return fc.integer(attributes).chain((count) => {
    const names = Array.from({ length: count }, (_, at) => String.fromCharCode(65 + at));
    const dependency: fc.Arbitrary<FunctionalDependency> = fc.record({
      left: fc.oneof(
        { weight: 30, arbitrary: fc.subarray(names, { minLength: 1, maxLength: Math.min(3, count) }) },
        { weight: 1, arbitrary: fc.constant([]) },
      ),
      right: fc.subarray(names, { minLength: 1, maxLength: Math.min(3, count) }),
    });
    return fc
      .array(dependency, { minLength: dependencies.min, maxLength: dependencies.max })
      .map((made) => ({ name: 'R', attributes: names, dependencies: made }));
  });
}

/** As in the measurement of the authors' normaliser: 4 to 7 attributes, 2 to 5 dependencies. */
export const SMALL: SchemeSizes = { attributes: { min: 4, max: 7 }, dependencies: { min: 2, max: 5 } };

/** More attributes, and dependencies enough that keys overlap. */
export const LARGER: SchemeSizes = { attributes: { min: 8, max: 12 }, dependencies: { min: 2, max: 14 } };
