import { attributeClosure, type CandidateKeys, candidateKeys, type RelationScheme } from '@askema/normal-form';

/** Closures after which the search for keys ends: a design must not stand still over one relation. */
export const KEY_LIMITS = { maxSteps: 5_000 } as const;

export interface ChosenKey {
  readonly key: readonly string[];
  readonly keys: CandidateKeys;
  /** False where a preferred key was named that is none. */
  readonly honoured: boolean;
}

/**
 * The key that identifies a row: the preferred one where it is a candidate key; else the shortest, among these the one
 * with the most attributes that read like keys, then the first in the order of the attributes.
 */
export function chooseKey(
  scheme: RelationScheme,
  preferred: readonly string[],
  readsLikeKey: (attribute: string) => boolean,
): ChosenKey {
  const keys = candidateKeys(scheme, KEY_LIMITS);
  if (preferred.length > 0 && isCandidateKey(scheme, preferred)) {
    const wanted = new Set(preferred);
    return { key: scheme.attributes.filter((one) => wanted.has(one)), keys, honoured: true };
  }
  const shortest = Math.min(...keys.keys.map((key) => key.length));
  const score = (key: readonly string[]): number => key.filter(readsLikeKey).length;
  let best = keys.keys[0] ?? scheme.attributes;
  for (const key of keys.keys) if (key.length === shortest && score(key) > score(best)) best = key;
  return { key: best, keys, honoured: preferred.length === 0 };
}

/** True when the attributes determine all of the scheme, and none of them can be left out. */
export function isCandidateKey({ attributes, dependencies }: RelationScheme, key: readonly string[]): boolean {
  const all = (from: readonly string[]): boolean => {
    const closure = new Set(attributeClosure(from, dependencies));
    return attributes.every((attribute) => closure.has(attribute));
  };
  return all(key) && key.every((left) => !all(key.filter((one) => one !== left)));
}
