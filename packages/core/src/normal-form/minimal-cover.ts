import { AskemaError } from '../errors/askema-error.ts';
import type { FunctionalDependency } from './functional-dependency.ts';

/** An equivalent set of dependencies without anything superfluous: one dependency for each left side. */
export function minimalCover(
  _dependencies: readonly FunctionalDependency[],
  _attributes?: readonly string[] | undefined,
): readonly FunctionalDependency[] {
  throw new AskemaError('INTERNAL', 'not written yet');
}
