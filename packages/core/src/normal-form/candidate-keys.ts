import { AskemaError } from '../errors/askema-error.ts';
import type { CandidateKeys } from './decomposition.ts';
import type { RelationScheme } from './functional-dependency.ts';

/** How long keys are searched. */
export interface KeySearchLimits {
  /** Keys. */
  readonly maxKeys?: number | undefined;
  /** Closures computed. */
  readonly maxSteps?: number | undefined;
}

/** The candidate keys of a relation. */
export function candidateKeys(_scheme: RelationScheme, _limits: KeySearchLimits = {}): CandidateKeys {
  throw new AskemaError('INTERNAL', 'not written yet');
}
