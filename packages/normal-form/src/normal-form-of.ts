import { createKeyFinder, type KeyFinder, type KeySearchLimits, searchKeys } from './candidate-keys.ts';
import type { NormalFormName, NormalFormVerdict, NormalFormViolation } from './decomposition.ts';
import type { RelationScheme } from './functional-dependency.ts';
import { type IndexedDependency, type IndexedScheme, indexScheme, namedDependency, namesOf } from './indexed-scheme.ts';
import { coverOf } from './minimal-cover.ts';

/** The form that holds where this one is the lowest that is broken. */
const HIGHEST_BELOW = { '2NF': '1NF', '3NF': '2NF', BCNF: '3NF' } as const satisfies Record<string, NormalFormName>;

/**
 * The highest normal form that holds, and the dependencies of a minimal cover that break the next ones (Codd 1971; Codd
 * 1974): 2NF where an attribute of no key depends on a proper part of a key; 3NF where one depends on attributes that
 * hold no key; BCNF where anything does. For the whole relation a cover tells as much as all implied dependencies; 2NF
 * is looked at in the parts of the keys as well. Where keys were cut at a limit, an attribute of a key that was not
 * found counts as being in none (`complete: false`).
 *
 * @throws AskemaError `INPUT_INVALID` for attributes that are empty, doubled or unknown;
 * `CONFIG_INVALID` for a limit below 1.
 */
export function normalFormOf(scheme: RelationScheme, limits: KeySearchLimits = {}): NormalFormVerdict {
  const indexed = indexScheme(scheme);
  const count = indexed.names.length;
  const cover = coverOf(count, indexed.dependencies);
  const { keys, complete } = searchKeys(count, cover, limits);
  const finder = createKeyFinder(count, cover);
  const found = violationsOf(cover, keys, finder);
  if (!found.some(({ breaks }) => breaks === '2NF')) found.unshift(...hiddenPartial(count, keys, finder));
  const violations = (['2NF', '3NF', 'BCNF'] as const).flatMap((form) =>
    found.filter(({ breaks }) => breaks === form).map((violation) => violationOf(violation, indexed)),
  );
  const [first] = violations;
  return { form: first === undefined ? 'BCNF' : HIGHEST_BELOW[first.breaks], violations, complete };
}

interface Found {
  readonly breaks: NormalFormViolation['breaks'];
  readonly dependency: IndexedDependency;
  /** For 2NF: the key of which the left side is a part. */
  readonly key?: readonly number[] | undefined;
}

function violationsOf(
  cover: readonly IndexedDependency[],
  keys: readonly (readonly number[])[],
  finder: KeyFinder,
): Found[] {
  const prime = new Set(keys.flat());
  const keySets = keys.map((key) => ({ key, set: new Set(key) }));
  const found: Found[] = [];
  for (const { left, right } of cover) {
    if (finder.isSuperkey(left)) continue;
    const key = keySets.find(({ set }) => left.every((attribute) => set.has(attribute)))?.key;
    const others = right.filter((attribute) => !prime.has(attribute));
    const ofKeys = right.filter((attribute) => prime.has(attribute));
    if (others.length > 0)
      found.push({ breaks: key === undefined ? '3NF' : '2NF', dependency: { left, right: others }, key });
    if (ofKeys.length > 0) found.push({ breaks: 'BCNF', dependency: { left, right: ofKeys } });
  }
  return found;
}

/**
 * A part of a key may determine an attribute of no key over attributes of other keys, so that no dependency of the
 * cover starts inside of one key: A → B C, B C → D with keys {A, E}, {B, …} and {C, …}. Yields the first such
 * dependency.
 */
function hiddenPartial(count: number, keys: readonly (readonly number[])[], finder: KeyFinder): Found[] {
  const prime = new Set(keys.flat());
  if (prime.size === count) return [];
  for (const key of keys) {
    for (const spared of key) {
      let left = key.filter((attribute) => attribute !== spared);
      finder.engine.close(left);
      const attribute = finder.engine.reached().find((reached) => !prime.has(reached));
      if (attribute === undefined) continue;
      for (const superfluous of left.toReversed()) {
        const rest = left.filter((other) => other !== superfluous);
        finder.engine.close(rest);
        if (finder.engine.has(attribute)) left = rest;
      }
      return [{ breaks: '2NF', dependency: { left, right: [attribute] }, key }];
    }
  }
  return [];
}

function violationOf({ breaks, dependency, key }: Found, scheme: IndexedScheme): NormalFormViolation {
  const named = namedDependency(dependency, scheme);
  const right = listed(named.right);
  const depend = named.right.length === 1 ? 'depends' : 'depend';
  if (named.left.length === 0)
    return {
      breaks,
      dependency: named,
      reason: `${right} ${named.right.length === 1 ? 'is' : 'are'} the same in every row.`,
    };
  const left = listed(named.left);
  const reasons = {
    '2NF': `${right} ${depend} on ${left}, which is only a part of the key (${listed(namesOf(key ?? [], scheme))}).`,
    '3NF': `${right} ${depend} on ${left}, which ${contains(named.left)} no key; ${right} ${named.right.length === 1 ? 'stands' : 'stand'} in no key either.`,
    BCNF: `${right} ${depend} on ${left}, which ${contains(named.left)} no key.`,
  };
  return { breaks, dependency: named, reason: reasons[breaks] };
}

function contains(left: readonly string[]): string {
  return left.length === 1 ? 'is' : 'hold';
}

function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`;
}
