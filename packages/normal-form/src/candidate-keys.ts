import { checkWhole } from '@askema/core';
import { type ClosureEngine, createClosureEngine } from './attribute-closure.ts';
import type { CandidateKeys } from './decomposition.ts';
import type { RelationScheme } from './functional-dependency.ts';
import { type IndexedDependency, indexScheme, namesOf } from './indexed-scheme.ts';
import { compareSets, coverOf } from './minimal-cover.ts';

/**
 * The candidate keys of a relation: sets of attributes that determine all others and can spare none (Lucchesi and
 * Osborn, Candidate keys for relations, JCSS 17, 1978). At least one is always found. A relation without dependencies
 * has one key, all of its attributes.
 *
 * @throws AskemaError `INPUT_INVALID` for attributes that are empty, doubled or unknown;
 * `CONFIG_INVALID` for a limit below 1.
 */
export function candidateKeys(scheme: RelationScheme, limits: KeySearchLimits = {}): CandidateKeys {
  const indexed = indexScheme(scheme);
  const count = indexed.names.length;
  const { keys, complete } = searchKeys(count, coverOf(count, indexed.dependencies), limits);
  return { keys: keys.map((key) => namesOf(key, indexed)), complete };
}

/**
 * How long keys are searched. A relation can have exponentially many: n pairs of attributes that determine each other
 * give 2^n.
 */
export interface KeySearchLimits {
  /** Keys; default 100. */
  readonly maxKeys?: number | undefined;
  /**
   * Attributes that closures reach and candidates hold, counted together; default 2,000,000. The first key is found
   * whatever it takes.
   */
  readonly maxSteps?: number | undefined;
}

/** Keys as ascending positions, shortest first. */
interface FoundKeys {
  readonly keys: readonly (readonly number[])[];
  readonly complete: boolean;
}

/** What shrinks sets that determine everything to keys. */
export interface KeyFinder {
  readonly engine: ClosureEngine;
  isSuperkey(attributes: readonly number[]): boolean;
  /** True for a superkey that can spare nothing. */
  isKey(attributes: readonly number[]): boolean;
  /** A key within a superkey; gives up later attributes first. */
  keyWithin(superkey: readonly number[]): readonly number[];
  /** A key of the whole relation. */
  anyKey(): readonly number[];
  /** Attributes that the closures reached so far. */
  steps(): number;
}

/** Makes a finder over a minimal cover of the dependencies of a relation with `attributeCount` attributes. */
export function createKeyFinder(attributeCount: number, cover: readonly IndexedDependency[]): KeyFinder {
  const engine = createClosureEngine(attributeCount, cover);
  const onLeft = new Uint8Array(attributeCount);
  const onRight = new Uint8Array(attributeCount);
  for (const { left, right } of cover) {
    for (const attribute of left) onLeft[attribute] = 1;
    for (const attribute of right) onRight[attribute] = 1;
  }
  let steps = 0;
  const isSuperkey = (attributes: readonly number[]): boolean => {
    const reached = engine.close(attributes);
    steps += reached;
    return reached === attributeCount;
  };
  // What nothing determines is in every key; what is determined and determines nothing is in none.
  const isSparable = (attribute: number): boolean => onRight[attribute] === 1;
  const keyWithin = (superkey: readonly number[]): readonly number[] => {
    const wanted = superkey.filter((attribute) => onRight[attribute] === 0 || onLeft[attribute] === 1);
    const core = wanted.filter((attribute) => !isSparable(attribute));
    if (core.length < wanted.length && isSuperkey(core)) return core;
    let key = wanted;
    for (const attribute of wanted.toReversed()) {
      if (!isSparable(attribute)) continue;
      const rest = key.filter((other) => other !== attribute);
      if (isSuperkey(rest)) key = rest;
    }
    return key;
  };
  return {
    engine,
    isSuperkey,
    isKey: (attributes) =>
      isSuperkey(attributes) &&
      attributes.every((attribute) => !isSuperkey(attributes.filter((other) => other !== attribute))),
    keyWithin,
    anyKey: () => keyWithin([...Array(attributeCount).keys()]),
    steps: () => steps,
  };
}

/**
 * All candidate keys, one from another: for a key K and a dependency X → Y, the set X ∪ (K − Y) is a superkey, and
 * where it contains no known key it contains a new one; when no pair yields anything, there are no more (Lucchesi and
 * Osborn, Candidate keys for relations, JCSS 17, 1978). The time is polynomial in the number of keys found.
 *
 * @throws AskemaError `CONFIG_INVALID` for a limit that is no whole number from 1.
 */
export function searchKeys(
  attributeCount: number,
  cover: readonly IndexedDependency[],
  { maxKeys = 100, maxSteps = 2_000_000 }: KeySearchLimits = {},
): FoundKeys {
  checkWhole('maxKeys', maxKeys);
  checkWhole('maxSteps', maxSteps);
  const finder = createKeyFinder(attributeCount, cover);
  const keys = [finder.anyKey()];
  const firstKeySteps = finder.steps();
  let candidates = 0;
  const found = (complete: boolean): FoundKeys => ({ keys: keys.toSorted(compareSets), complete });
  for (let next = 0; next < keys.length; next += 1) {
    const key = keys[next] ?? [];
    for (const { left, right } of cover) {
      const given = new Set(right);
      const kept = key.filter((attribute) => !given.has(attribute));
      if (kept.length === key.length) continue;
      candidates += left.length + key.length + keys.length;
      if (candidates + finder.steps() - firstKeySteps > maxSteps) return found(false);
      const superkey = new Set([...left, ...kept]);
      if (keys.some((known) => known.every((attribute) => superkey.has(attribute)))) continue;
      if (keys.length >= maxKeys) return found(false);
      keys.push(finder.keyWithin([...superkey].sort((a, b) => a - b)));
    }
  }
  return found(true);
}

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
