import { AskemaError } from '../errors/askema-error.ts';
import type { FunctionalDependency } from './functional-dependency.ts';

/** The dependency as `parseDependency` reads it: `Student ID, Course ID -> Grade`. */
export function dependencyText(_dependency: FunctionalDependency): string {
  throw new AskemaError('INTERNAL', 'not written yet');
}
