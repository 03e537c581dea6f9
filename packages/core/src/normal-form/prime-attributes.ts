import { AskemaError } from '../errors/askema-error.ts';
import type { KeySearchLimits } from './candidate-keys.ts';
import type { RelationScheme } from './functional-dependency.ts';

/** Attributes that stand in a candidate key. */
export interface PrimeAttributes {
  /** In the order of the relation. */
  readonly attributes: readonly string[];
  /** False when the keys were cut: others may be prime as well. */
  readonly complete: boolean;
}

/** The attributes that stand in at least one candidate key. */
export function primeAttributes(_scheme: RelationScheme, _limits: KeySearchLimits = {}): PrimeAttributes {
  throw new AskemaError('INTERNAL', 'not written yet');
}
