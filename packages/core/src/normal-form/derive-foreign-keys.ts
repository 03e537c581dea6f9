import { holdersOf, type Part } from './parts.ts';

/** A foreign key between parts by their numbers. */
export interface PartReference {
  readonly from: number;
  readonly to: number;
  /** Ascending. */
  readonly attributes: readonly number[];
}

/**
 * Foreign keys between the parts of one relation: a part that holds the key of another one refers to it; where it holds an alternate key only, to
 * that. A reference is left out where a further part implies it: when P refers to Q over attributes that hold those by which Q refers to S,
 * then P → S says nothing that P → Q → S does not. Parts with the same key were merged before, so that references never run in a circle.
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
