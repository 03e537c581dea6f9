import { AskemaError } from '../errors/askema-error.ts';
import type { FunctionalDependency } from './functional-dependency.ts';

/** Reads `A, B -> C`. */
export function parseDependency(_text: string, _attributes?: readonly string[] | undefined): FunctionalDependency {
  throw new AskemaError('INTERNAL', 'not written yet');
}
