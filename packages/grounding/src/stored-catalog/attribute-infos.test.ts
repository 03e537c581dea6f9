import type { Catalog } from '@askema/core';
import { largeCatalog } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { packCatalog } from './pack-catalog.ts';
import { unpackCatalog } from './unpack-catalog.ts';

/** More attributes than are entered at once, and more in each relation than a look-up walks past. */
const large = largeCatalog(250, 90);
const packed = packCatalog(large);
const fresh = (): Catalog['attributes'] => unpackCatalog(packed).attributes;
const ids = Object.keys(large.attributes);

describe('the attributes of a large catalog that was kept', () => {
  it('are found by their ids, wherever they stand in their relation', () => {
    const attributes = fresh();
    for (const at of [0, 1, 89, 90, 5_000, ids.length - 1])
      expect(attributes[ids[at]!]).toEqual(large.attributes[ids[at]!]);
  });

  it('are all there, in their order, for who asks for all', () => {
    expect(Object.keys(fresh())).toEqual(ids);
    expect(Object.entries(fresh())).toEqual(Object.entries(large.attributes));
    expect({ ...fresh() }).toEqual(large.attributes);
    expect(JSON.stringify(fresh())).toBe(JSON.stringify(large.attributes));
    expect(fresh()).toEqual(large.attributes);
  });

  it('are no others: not before all were asked for, and not behind', () => {
    for (const id of ['nowhere#id', ids[0]!.replace('#', '#no_'), '', '__proto__', 'constructor', 'toString#x']) {
      const plain = large.attributes[id];
      const attributes = fresh();
      expect(Object.hasOwn(attributes, id)).toBe(false);
      expect([fresh()[id], attributes[id]]).toEqual([plain, plain]);
      expect([id in fresh(), id in attributes]).toEqual([id in large.attributes, id in large.attributes]);
    }
    expect(Object.hasOwn(fresh(), ids[0]!)).toBe(true);
  });

  it('can be frozen', () => {
    const frozen = Object.freeze(fresh());
    expect(Object.isFrozen(frozen)).toBe(true);
    expect(frozen[ids[7]!]).toEqual(large.attributes[ids[7]!]);
    expect(Object.keys(frozen)).toEqual(ids);
  });

  it('are found where those of a relation do not stand together', () => {
    const [first, ...others] = large.schema.attributes;
    const mixed = { ...large, schema: { ...large.schema, attributes: [...others, first!] } };
    expect(unpackCatalog(packCatalog(mixed)).attributes[first!.id]).toEqual(large.attributes[first!.id]);
    expect(unpackCatalog(packCatalog(mixed)).attributes[ids[1]!]).toEqual(large.attributes[ids[1]!]);
  });
});
