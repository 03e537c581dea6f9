import { candidateKeys } from './candidate-keys.ts';
import type { RelationScheme } from './functional-dependency.ts';
import type { KeySearchLimits } from './key-search.ts';

/** Attributes that stand in a candidate key. */
export interface PrimeAttributes {
  /** In the order of the relation. */
  readonly attributes: readonly string[];
  /** False when the keys were cut: others may be prime as well. */
  readonly complete: boolean;
}

/**
 * The attributes that stand in at least one candidate key.
 *
 * @throws AskemaError `INPUT_INVALID` as {@link candidateKeys} does.
 */
export function primeAttributes(scheme: RelationScheme, limits: KeySearchLimits = {}): PrimeAttributes {
  const { keys, complete } = candidateKeys(scheme, limits);
  const prime = new Set(keys.flat());
  return { attributes: scheme.attributes.filter((attribute) => prime.has(attribute)), complete };
}
