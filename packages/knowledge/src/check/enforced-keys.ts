import { indexSchema } from '@askema/core';
import type { BoundDataset, BoundKnowledge } from '../bind/bound-knowledge.ts';

/** Whether the engine itself sees to it that these columns are unique, so that nothing has to be counted. */
export function isEnforced(
  { relation }: BoundDataset,
  columns: readonly string[],
  { catalog }: Pick<BoundKnowledge, 'catalog'>,
): boolean {
  if (relation === undefined || (catalog.keyStanding[relation] ?? 'enforced') !== 'enforced') return false;
  const index = indexSchema(catalog);
  const wanted = columns.map((column) => index.attributeNamed(relation, column)?.id);
  const isSame = (key: readonly string[]): boolean =>
    key.length === wanted.length && key.every((id) => wanted.includes(id));
  const [only] = wanted;
  return (
    isSame(index.primaryKey(relation)?.attributes ?? []) ||
    catalog.uniqueKeys.some((key) => key.relation === relation && isSame(key.attributes)) ||
    (wanted.length === 1 && only !== undefined && index.constraintsOn(only).includes('unique'))
  );
}
