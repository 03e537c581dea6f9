import { AskemaError } from '../errors/askema-error.ts';
import type { FunctionalDependency } from './functional-dependency.ts';

/** All attributes that the given ones determine: the given ones first, then the others in the order in which the dependencies name them. */
export function attributeClosure(
  _attributes: readonly string[],
  _dependencies: readonly FunctionalDependency[],
): readonly string[] {
  throw new AskemaError('INTERNAL', 'not written yet');
}
