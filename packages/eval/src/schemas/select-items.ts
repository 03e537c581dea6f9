import { AskemaError, didYouMean } from '@askema/core';
import type { SchemaItem } from './schema-dataset.ts';

/**
 * The requirements of these ids, in the order of the data set, then the first `limit`.
 *
 * @throws AskemaError `INPUT_INVALID` for an id that there is not, and for a limit that is no whole number above 0.
 */
export function selectItems(
  items: readonly SchemaItem[],
  { ids, limit }: { readonly ids?: readonly string[] | undefined; readonly limit?: number | undefined },
): readonly SchemaItem[] {
  if (limit !== undefined && (!Number.isInteger(limit) || limit < 1))
    throw new AskemaError('INPUT_INVALID', `\`limit\` is ${limit}; it must be a whole number above 0.`);
  const known = new Set(items.map((item) => item.id));
  const unknown = ids?.find((id) => !known.has(id));
  if (unknown !== undefined)
    throw new AskemaError(
      'INPUT_INVALID',
      `No requirement has the id ${unknown}. ${didYouMean(unknown, known)}`.trimEnd(),
    );
  const wanted = ids === undefined ? undefined : new Set(ids);
  return items.filter((item) => wanted?.has(item.id) ?? true).slice(0, limit);
}
