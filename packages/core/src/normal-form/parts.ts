import type { IndexedDependency } from './indexed-scheme.ts';
import type { KeyClass } from './key-classes.ts';

/** A part before it has a name. */
export interface Part {
  /** Ascending. */
  readonly attributes: readonly number[];
  readonly key: readonly number[];
  readonly alternateKeys: readonly (readonly number[])[];
  /** Dependencies of parts that lie within this one. */
  readonly inner: readonly IndexedDependency[];
  readonly holdsAll: boolean;
}

/** The dependencies that stand in a part: its key determines the rest, each other key determines the key. */
export function dependenciesOf({ attributes, key, alternateKeys, inner }: Part): readonly IndexedDependency[] {
  const without = (some: readonly number[], others: readonly number[]): readonly number[] => {
    const left = new Set(others);
    return some.filter((attribute) => !left.has(attribute));
  };
  return [
    { left: key, right: without(attributes, key) },
    ...alternateKeys.map((other) => ({ left: other, right: without(key, other) })),
    ...inner,
  ].filter(({ right }) => right.length > 0);
}

/**
 * The parts that remain when those are left out whose attributes all stand in another one; what they said goes on in the part that holds them. The
 * key of a part is the one that most other parts hold, because foreign keys then refer to it, else the shortest.
 */
export function mergeSubsumed(attributeCount: number, classes: readonly KeyClass[]): readonly Part[] {
  const holders = holdersOf(
    attributeCount,
    classes.map(({ attributes }) => attributes),
  );
  // Larger ones first, so that a part never goes into one that goes away itself; equal ones keep the earlier.
  const bySize = classes.map((_, at) => at).sort((a, b) => sizeOf(b) - sizeOf(a) || a - b);
  const hostOf = new Map<number, number>();
  for (const at of bySize) {
    const { attributes } = classes[at] as KeyClass;
    const host = holders(attributes).find(
      (other) => other !== at && !hostOf.has(other) && (sizeOf(other) > attributes.length || other < at),
    );
    if (host !== undefined) hostOf.set(at, host);
  }
  const kept = classes.map((_, at) => at).filter((at) => !hostOf.has(at));
  const used = (keys: readonly number[]): number => holders(keys).filter((other) => !hostOf.has(other)).length;
  const bare = new Map(classes.map((each, at) => [at, bareParts(each, used)]));
  return kept.map((at) => {
    const inner = [...hostOf].filter(([, host]) => host === at).map(([guest]) => guest);
    const part = bare.get(at) as Part;
    return { ...part, inner: inner.sort((a, b) => a - b).flatMap((guest) => dependenciesOf(bare.get(guest) as Part)) };
  });

  function sizeOf(at: number): number {
    return classes[at]?.attributes.length ?? 0;
  }
}

function bareParts({ keys, attributes, holdsAll }: KeyClass, used: (key: readonly number[]) => number): Part {
  let key = keys[0] ?? [];
  if (keys.length > 1) {
    let most = used(key);
    for (const other of keys.slice(1)) {
      const uses = used(other);
      if (uses > most) [key, most] = [other, uses];
    }
  }
  return { attributes, key, alternateKeys: keys.filter((other) => other !== key), inner: [], holdsAll };
}

/** Finds the sets that hold all of some attributes; none for no attributes. Looks through those of the rarest attribute only. */
export function holdersOf(
  attributeCount: number,
  sets: readonly (readonly number[])[],
): (attributes: readonly number[]) => readonly number[] {
  const inSets: number[][] = Array.from({ length: attributeCount }, () => []);
  for (const [at, set] of sets.entries()) for (const attribute of set) inSets[attribute]?.push(at);
  const members = sets.map((set) => new Set(set));
  return (attributes) => {
    let rarest: readonly number[] | undefined;
    for (const attribute of attributes) {
      const found = inSets[attribute] ?? [];
      if (rarest === undefined || found.length < rarest.length) rarest = found;
    }
    return (rarest ?? []).filter((at) => attributes.every((attribute) => members[at]?.has(attribute) === true));
  };
}
