import type { MineLimits } from './logged-statement.ts';

/** How often something was run, by how many, and when last. */
export interface Evidence {
  count: number;
  readonly users: Set<string>;
  last: string | undefined;
  /** A statement in which it stands, with `?` for each literal. */
  example: string;
  /** Statements that differ in more than their literals. */
  readonly shapes: Set<string>;
}

/** More are not told apart. */
const MAX_TOLD_APART = 1_000;

export function noEvidence(): Evidence {
  return { count: 0, users: new Set(), last: undefined, example: '', shapes: new Set() };
}

export function addEvidence(to: Evidence, from: Evidence): void {
  to.count += from.count;
  for (const user of from.users) if (to.users.size < MAX_TOLD_APART) to.users.add(user);
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

/** Used by several, or very often by one, or often in a log that names nobody. */
export function isEnough({ count, users }: Evidence, { minCount, minUsers }: MineLimits): boolean {
  return count >= minCount && (users.size >= minUsers || users.size === 0 || count >= 10 * minCount);
}
