import type { CandidateKeys } from './decomposition.ts';
import type { RelationScheme } from './functional-dependency.ts';
import { coverOf } from './indexed-cover.ts';
import { indexScheme, namesOf } from './indexed-scheme.ts';
import { type KeySearchLimits, searchKeys } from './key-search.ts';

/**
 * The candidate keys of a relation: sets of attributes that determine all others and can spare none (Lucchesi and Osborn, Candidate keys for
 * relations, JCSS 17, 1978). At least one is always found. A relation without dependencies has one key, all of its attributes.
 *
 * @throws AskemaError `INPUT_INVALID` for attributes that are empty, doubled or unknown, and for a limit below 1.
 */
export function candidateKeys(scheme: RelationScheme, limits: KeySearchLimits = {}): CandidateKeys {
  const indexed = indexScheme(scheme);
  const count = indexed.names.length;
  const { keys, complete } = searchKeys(count, coverOf(count, indexed.dependencies), limits);
  return { keys: keys.map((key) => namesOf(key, indexed)), complete };
}
