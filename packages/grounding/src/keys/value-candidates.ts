import type { Attribute, AttributeId, Catalog, SchemaIndex, Value } from '@askema/core';
import { isComparable } from '../explore/column-profile.ts';
import { countOf } from '../explore/profile-relation.ts';
import { isNamedLikeKey, isWholeKey, type KeyCandidate, pointers } from './key-candidates.ts';

/** The range of an attribute's numbers. */
export interface NumberRange {
  readonly least: number;
  readonly greatest: number;
  /** Different values. */
  readonly count: number;
}

/** Fewer different values may all be in another key by chance. */
const LEAST_VALUES = 4;

/** Values that fill more of the numbers up to the greatest one look like a counter, and every key that counts from 1 has them. */
const MOST_FILLED = 1 / 3;

/** An attribute is compared with so many keys at most. */
const MAX_AROUND = 4;

/** With more numeric keys than this there would be too many comparisons. */
const MAX_TARGETS = 200;

/**
 * Foreign keys that only values suggest: an attribute that is named like a key (`liked_id`), and that no name connects,
 * whose numbers lie in the range of a key. Numbers that count from 1 are left out: every such key holds them.
 */
export async function valueCandidates(
  catalog: Catalog,
  index: SchemaIndex,
  connected: ReadonlySet<AttributeId>,
  rangeOf: (attribute: Attribute) => Promise<NumberRange | undefined>,
): Promise<readonly KeyCandidate[]> {
  const isNumber = (attribute: Attribute): boolean =>
    attribute.type === 'NUMERIC' && isComparable(attribute, catalog.attributes[attribute.id]);
  const keys = catalog.schema.attributes.filter((attribute) => isNumber(attribute) && isWholeKey(index, attribute));
  const from = pointers(catalog, index).filter(
    (attribute) =>
      isNumber(attribute) && isNamedLikeKey(attribute) && !connected.has(attribute.id) && !isWholeKey(index, attribute),
  );
  if (from.length === 0 || keys.length === 0 || keys.length > MAX_TARGETS) return [];
  const ranges = async (attributes: readonly Attribute[]) =>
    (await Promise.all(attributes.map(async (attribute) => ({ attribute, range: await rangeOf(attribute) })))).flatMap(
      ({ attribute, range }) => (range !== undefined && isSparse(range) ? [{ attribute, range }] : []),
    );
  const telling = (await ranges(from)).filter(({ range }) => range.count >= LEAST_VALUES);
  const targets = telling.length === 0 ? [] : await ranges(keys);
  return telling.flatMap(({ attribute, range }) => {
    const around = targets.filter(
      ({ attribute: key, range: other }) =>
        key.relation !== attribute.relation && other.least <= range.least && range.greatest <= other.greatest,
    );
    if (around.length > MAX_AROUND) return [];
    return around.map((target) => ({ from: attribute, to: target.attribute, likeness: 0 }));
  });
}

function isSparse({ count, greatest }: NumberRange): boolean {
  return count / greatest < MOST_FILLED;
}

/** The range that a row of least, greatest and count tells; undefined where the numbers are none. */
export function numberRange([least, greatest, count]: readonly Value[]): NumberRange | undefined {
  const [low, high] = [least, greatest].map((value) => (typeof value === 'bigint' ? Number(value) : value));
  if (typeof low !== 'number' || typeof high !== 'number' || low < 0) return undefined;
  return { least: low, greatest: high, count: countOf(count ?? 0) ?? 0 };
}
