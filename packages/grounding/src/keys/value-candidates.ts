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

/** Fewer values lie in another key by chance. */
const LEAST_VALUES = 4;

/** Keys that fill more of the numbers up to their greatest hold the small numbers of any other key. */
const MOST_FILLED = 1 / 3;

/** An attribute is compared with so many keys at most. */
const MAX_AROUND = 4;

/** Where more relations have a key of one number, too many would have to be compared. */
const MAX_TARGETS = 200;

/**
 * Foreign keys that only values suggest: an attribute that is named like a key (`liked_id`), and that no name connects,
 * whose numbers lie in the range of a key. Keys that count from 1 are left out: they hold any small number.
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
    Promise.all(attributes.map(async (attribute) => ({ attribute, range: await rangeOf(attribute) })));
  const targets = (await ranges(keys)).filter(
    ({ range }) => range !== undefined && range.count / range.greatest < MOST_FILLED,
  );
  if (targets.length === 0) return [];
  return (await ranges(from)).flatMap(({ attribute, range }) => {
    if (range === undefined || range.count < LEAST_VALUES) return [];
    const around = targets.filter(
      ({ range: other }) => other !== undefined && other.least <= range.least && range.greatest <= other.greatest,
    );
    if (around.length > MAX_AROUND) return [];
    return around.map((target) => ({ from: attribute, to: target.attribute, likeness: 0 }));
  });
}

/** The range that a row of least, greatest and count tells; undefined where the numbers are none. */
export function numberRange([least, greatest, count]: readonly Value[]): NumberRange | undefined {
  const [low, high] = [least, greatest].map((value) => (typeof value === 'bigint' ? Number(value) : value));
  if (typeof low !== 'number' || typeof high !== 'number' || low < 0) return undefined;
  return { least: low, greatest: high, count: countOf(count ?? 0) ?? 0 };
}
