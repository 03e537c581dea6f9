import { AskemaError, invalidOption } from '@askema/core';

/** One machine's part of a list; `index` counts from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/**
 * Every `of`-th item, from number `index` on: so each part has its share of what stands together in the list.
 *
 * @throws AskemaError `CONFIG_INVALID` for a part that there is not, `INPUT_INVALID` for one without an item.
 */
export function shardOf<Item>(items: readonly Item[], shard: Shard | undefined): readonly Item[] {
  if (shard === undefined) return items;
  const { index, of } = shard;
  if (!(Number.isInteger(index) && Number.isInteger(of) && index >= 1 && index <= of))
    throw invalidOption(`There is no shard ${index}/${of}; write 1/${of} to ${of}/${of}.`);
  const part = items.filter((_item, position) => position % of === index - 1);
  if (part.length === 0)
    throw new AskemaError(
      'INPUT_INVALID',
      `Shard ${index}/${of} of ${items.length} items is empty; take fewer shards.`,
    );
  return part;
}
