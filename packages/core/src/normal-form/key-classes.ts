import { createClosureEngine } from './closure-engine.ts';
import { dropImplied, occurrences } from './indexed-cover.ts';
import type { IndexedDependency } from './indexed-scheme.ts';

/** Left sides that determine each other: keys of one part. */
export interface KeyClass {
  /** The keys, shortest first, then by position. */
  readonly keys: readonly (readonly number[])[];
  /** Keys and what they determine in this part; ascending. */
  readonly attributes: readonly number[];
  /** True when the keys determine the whole relation. */
  readonly holdsAll: boolean;
}

/**
 * The parts of a synthesis. Left sides of a minimal cover that determine each other share a part (Bernstein, Synthesizing third normal form
 * relations from functional dependencies, TODS 1(4), 1976, algorithm 2). Merging makes right sides superfluous that a key determines by way of
 * another key of its part; they are left out, or the part would not be in third normal form (step 5 there).
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
