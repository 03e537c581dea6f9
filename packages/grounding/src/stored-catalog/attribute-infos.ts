import type { Attribute, AttributeId, AttributeInfo, RelationId } from '@askema/core';

/** So many are entered at once; of more, a process that ends after one question looks up few. */
const ENTERED_AT_ONCE = 20_000;

/** A look-up walks past so many attributes of a relation; for one that stands behind them, all are entered. */
const WALKED = 64;

/**
 * The record of a catalog: what is known of each attribute, by its id. Making the keys of 160,000 takes as long as all
 * else that is read of them, so a large record is filled when somebody asks for more than single attributes. It is a
 * proxy, and like a plain one in all but that `structuredClone` refuses it.
 *
 * @param infos - In the order of the attributes.
 * @param starts - Where the attributes of a relation begin.
 */
export function attributeInfos(
  attributes: readonly Attribute[],
  infos: readonly AttributeInfo[],
  starts: ReadonlyMap<RelationId, number>,
): Readonly<Record<AttributeId, AttributeInfo>> {
  const record: Record<AttributeId, AttributeInfo> = {};
  let isFilled = false;
  const filled = (): typeof record => {
    if (!isFilled) for (const [place, { id }] of attributes.entries()) record[id] = infos[place] as AttributeInfo;
    isFilled = true;
    return record;
  };
  if (attributes.length <= ENTERED_AT_ONCE) return filled();

  const find = (id: AttributeId): AttributeInfo | undefined => {
    const relation = id.slice(0, id.lastIndexOf('#'));
    const start = starts.get(relation) ?? attributes.length;
    for (let place = start; place < start + WALKED && attributes[place]?.relation === relation; place += 1)
      if (attributes[place]?.id === id) return infos[place];
    return undefined;
  };
  return new Proxy(record, {
    get: (_, key) => (isFilled || typeof key === 'symbol' ? undefined : find(key)) ?? Reflect.get(filled(), key),
    has: (_, key) => Reflect.has(filled(), key),
    ownKeys: () => Reflect.ownKeys(filled()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(filled(), key),
    preventExtensions: () => Reflect.preventExtensions(filled()),
  });
}
