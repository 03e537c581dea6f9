import { createClosureEngine } from './attribute-closure.ts';
import type { IndexedDependency } from './indexed-scheme.ts';
import { dropImplied, occurrences } from './minimal-cover.ts';

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
 * The parts that remain when those are left out whose attributes all stand in another one; what they said goes on in
 * the part that holds them. The key of a part is the one that most other parts hold, because foreign keys then refer to
 * it, else the shortest.
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

/**
 * Finds the sets that hold all of some attributes; none for no attributes. Looks through those of the rarest attribute
 * only.
 */
function holdersOf(
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

/** Left sides that determine each other: keys of one part. */
interface KeyClass {
  /** The keys, shortest first, then by position. */
  readonly keys: readonly (readonly number[])[];
  /** Keys and what they determine in this part; ascending. */
  readonly attributes: readonly number[];
  /** True when the keys determine the whole relation. */
  readonly holdsAll: boolean;
}

/**
 * The parts of a synthesis. Left sides of a minimal cover that determine each other share a part (Bernstein,
 * Synthesizing third normal form relations from functional dependencies, TODS 1(4), 1976, algorithm 2). Merging makes
 * right sides superfluous that a key determines by way of another key of its part; they are left out, or the part would
 * not be in third normal form (step 5 there).
 */
export function keyClasses(attributeCount: number, cover: readonly IndexedDependency[]): readonly KeyClass[] {
  const classes = equivalentLeftSides(attributeCount, cover);
  // What the first key determines outside of the keys stands for what any of them does.
  const groups = classes.map(({ keys, right }) => {
    const inKeys = new Set(keys.flat());
    return { left: keys[0] ?? [], right: right.filter((attribute) => !inKeys.has(attribute)) };
  });
  const rings = classes.flatMap(({ keys }) => ringOf(keys));
  const dependencies = [...groups, ...rings];
  dropImplied(createClosureEngine(attributeCount, dependencies), groups, occurrences(attributeCount, dependencies));
  return classes.map(({ keys, holdsAll }, at) => ({
    keys,
    holdsAll,
    attributes: [...new Set([...keys.flat(), ...(groups[at]?.right ?? [])])].sort((a, b) => a - b),
  }));
}

interface LeftSides {
  readonly keys: (readonly number[])[];
  readonly right: number[];
  readonly holdsAll: boolean;
}

/** Classes of left sides by their closures, in the order of the cover. */
function equivalentLeftSides(attributeCount: number, cover: readonly IndexedDependency[]): readonly LeftSides[] {
  const engine = createClosureEngine(attributeCount, cover);
  const classes = new Map<string, LeftSides>();
  for (const { left, right } of cover) {
    const reached = engine.close(left);
    const closure = bitsOf(attributeCount, engine.reached());
    let found = classes.get(closure);
    if (found === undefined) {
      found = { keys: [], right: [], holdsAll: reached === attributeCount };
      classes.set(closure, found);
    }
    found.keys.push(left);
    found.right.push(...right);
  }
  return [...classes.values()].map((each) => ({ ...each, right: [...new Set(each.right)].sort((a, b) => a - b) }));
}

/** A set as a text that equal sets share: 16 attributes a character. */
function bitsOf(attributeCount: number, attributes: readonly number[]): string {
  const words = new Uint16Array(Math.ceil(attributeCount / 16));
  for (const attribute of attributes) words[attribute >> 4] = (words[attribute >> 4] ?? 0) | (1 << (attribute & 15));
  return Array.from(words, (word) => String.fromCharCode(word)).join('');
}

/** Dependencies that make the keys of one part determine each other: each the next, the last the first. */
function ringOf(keys: readonly (readonly number[])[]): readonly IndexedDependency[] {
  if (keys.length < 2) return [];
  return keys.map((key, at) => {
    const own = new Set(key);
    return { left: key, right: (keys[(at + 1) % keys.length] ?? []).filter((attribute) => !own.has(attribute)) };
  });
}

/** A foreign key between parts by their numbers. */
interface PartReference {
  readonly from: number;
  readonly to: number;
  /** Ascending. */
  readonly attributes: readonly number[];
}

/**
 * Foreign keys between the parts of one relation: a part that holds the key of another one refers to it; where it holds
 * an alternate key only, to that. A reference is left out where a further part implies it: when P refers to Q over
 * attributes that hold those by which Q refers to S, then P → S says nothing that P → Q → S does not. Parts with the
 * same key were merged before, so that references never run in a circle.
 */
export function deriveForeignKeys(attributeCount: number, parts: readonly Part[]): readonly PartReference[] {
  const holders = holdersOf(
    attributeCount,
    parts.map(({ attributes }) => attributes),
  );
  const references = parts.map((): PartReference[] => []);
  for (const [to, { key, alternateKeys }] of parts.entries()) {
    const done = new Set([to]);
    for (const attributes of [key, ...alternateKeys]) {
      for (const from of holders(attributes)) {
        if (done.has(from)) continue;
        done.add(from);
        references[from]?.push({ from, to, attributes });
      }
    }
  }
  return references.flatMap((own) => {
    // Only a reference over more attributes can imply another one.
    const longest = Math.max(0, ...own.map(({ attributes }) => attributes.length));
    return own
      .filter((one) => one.attributes.length === longest || !own.some((other) => implies(other, one, references)))
      .sort((a, b) => a.to - b.to);
  });
}

function implies(by: PartReference, one: PartReference, references: readonly (readonly PartReference[])[]): boolean {
  if (by.to === one.to || by.attributes.length <= one.attributes.length) return false;
  const held = new Set(by.attributes);
  if (!one.attributes.every((attribute) => held.has(attribute))) return false;
  return (references[by.to] ?? []).some(
    ({ to, attributes }) =>
      to === one.to &&
      attributes.length === one.attributes.length &&
      attributes.every((attribute, at) => attribute === one.attributes[at]),
  );
}
