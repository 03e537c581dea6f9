import { COUNTRIES, OTHER_EQUIVALENTS, STATES } from './known-equivalents-data.ts';

/**
 * Says whether two texts are names of one thing by general knowledge: states and their postal codes, countries, their
 * codes and their adjectives, months, days, sexes, yes and no. Both are squashed (see `SurfaceForms`). A short code can
 * stand for several things: `ca` is California and Canada.
 */
export function areKnownEquivalents(a: string, b: string): boolean {
  const groupsOfA = groups().get(a);
  if (groupsOfA === undefined) return false;
  const groupsOfB = groups().get(b);
  return groupsOfB !== undefined && groupsOfA.some((group) => groupsOfB.includes(group));
}

/** Every other squashed name of what a squashed text may stand for; empty for most texts. */
export function knownEquivalents(squashed: string): readonly string[] {
  const found = new Set<string>();
  for (const group of groups().get(squashed) ?? []) for (const name of members[group] ?? []) found.add(name);
  found.delete(squashed);
  return [...found];
}

const members: (readonly string[])[] = [];
let byName: ReadonlyMap<string, readonly number[]> | undefined;

function groups(): ReadonlyMap<string, readonly number[]> {
  if (byName !== undefined) return byName;
  const map = new Map<string, number[]>();
  for (const line of [STATES, COUNTRIES, OTHER_EQUIVALENTS].join('\n').split('\n')) {
    if (line.trim() === '') continue;
    const names = line.split('|').map((name) => name.toLowerCase().replace(/[^a-z0-9]+/g, ''));
    const group = members.push(names) - 1;
    for (const name of new Set(names)) {
      const known = map.get(name);
      if (known === undefined) map.set(name, [group]);
      else known.push(group);
    }
  }
  byName = map;
  return map;
}
