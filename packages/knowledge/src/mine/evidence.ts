import type { MineLimits } from './logged-statement.ts';

/** How often something was run, by how many, and when last. */
export interface Evidence {
  count: number;
  /** The runs of each. */
  readonly users: Map<string, number>;
  last: string | undefined;
  /** A statement in which it stands, with `?` for each literal. */
  example: string;
  /** Statements that differ in more than their literals. */
  readonly shapes: Set<string>;
}

/** More are not told apart. */
const MAX_TOLD_APART = 1_000;

export function noEvidence(): Evidence {
  return { count: 0, users: new Map(), last: undefined, example: '', shapes: new Set() };
}

export function addEvidence(to: Evidence, from: Evidence): void {
  to.count += from.count;
  for (const [user, count] of from.users) {
    const known = to.users.get(user);
    if (known !== undefined || to.users.size < MAX_TOLD_APART) to.users.set(user, (known ?? 0) + count);
  }
  for (const shape of from.shapes) if (to.shapes.size < MAX_TOLD_APART) to.shapes.add(shape);
  if (from.last !== undefined && (to.last === undefined || from.last > to.last)) to.last = from.last;
  if (to.example === '' || (from.example !== '' && from.example.length < to.example.length)) to.example = from.example;
}

/** The evidence of a key, made where there is none. */
export function evidenceOf<Key>(map: Map<Key, Evidence>, key: Key): Evidence {
  let evidence = map.get(key);
  if (evidence === undefined) {
    evidence = noEvidence();
    map.set(key, evidence);
  }
  return evidence;
}

/** All evidence together. */
export function together(all: Iterable<Evidence>): Evidence {
  const sum = noEvidence();
  for (const one of all) addEvidence(sum, one);
  return sum;
}

/**
 * In how much of a whole a part stands, from 0 to 1. Nobody counts for more than the user in the middle: who runs one
 * statement ten thousand times does not decide what it means to the others.
 */
export function shareOf(part: Evidence, whole: Evidence): number {
  let having = part.count;
  let all = whole.count;
  for (const [user, beyond, runs] of beyondMiddle(whole)) {
    all -= beyond;
    having -= ((part.users.get(user) ?? 0) * beyond) / runs;
  }
  return all <= 0 ? 0 : having / all;
}

/** Runs, as `shareOf` counts them. */
export function runsOfAll(whole: Evidence): number {
  return beyondMiddle(whole).reduce((runs, [, beyond]) => runs - beyond, whole.count);
}

type Beyond = readonly (readonly [user: string, beyond: number, runs: number])[];

/** Asked for each part of a whole. */
const beyonds = new WeakMap<Evidence, { readonly count: number; readonly beyond: Beyond }>();

function beyondMiddle(whole: Evidence): Beyond {
  const known = beyonds.get(whole);
  if (known?.count === whole.count) return known.beyond;
  const sorted = [...whole.users.values()].sort((a, b) => a - b);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  const beyond = [...whole.users].flatMap(([user, runs]) =>
    runs > middle ? [[user, runs - middle, runs] as const] : [],
  );
  beyonds.set(whole, { count: whole.count, beyond });
  return beyond;
}

/** Used by several, or very often by one, or often in a log that names nobody. */
export function isEnough({ count, users }: Evidence, { minCount, minUsers }: MineLimits): boolean {
  return count >= minCount && (users.size >= minUsers || users.size === 0 || count >= 10 * minCount);
}
