import { type AttributeId, type Catalog, indexSchema, type RelationId } from '@askema/core';
import { isUniqueIn } from '@askema/lint';

/** Whether the columns of a relation find one row at most, as keys say; where a relation has none, as names do. */
export type Sides = (relation: RelationId, columns: readonly string[]) => 'yes' | 'no' | 'by name';

export function sidesOf(catalog: Catalog): Sides {
  const index = indexSchema(catalog);
  return (relation, columns) => {
    const ids = attributesNamed(index.attributesOf(relation), columns);
    if (isUniqueIn({ catalog, index }, relation, ids)) return 'yes';
    const hasKey =
      index.primaryKey(relation) !== undefined || catalog.uniqueKeys.some((key) => key.relation === relation);
    const [only, second] = columns;
    if (hasKey || only === undefined || second !== undefined) return 'no';
    return isNamedAsKey(only, catalog.relations[relation]?.nameParts.relation ?? '') ? 'by name' : 'no';
  };
}

function attributesNamed(
  attributes: readonly { readonly id: AttributeId; readonly name: string }[],
  names: readonly string[],
): readonly AttributeId[] {
  return names.flatMap((name) => attributes.find((one) => one.name === name)?.id ?? []);
}

/** `id` of any table, `customer_id` of `customers`. */
export function isNamedAsKey(column: string, table: string): boolean {
  const name = column.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const of = table.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const stems = [of, of.replace(/s$/, ''), of.replace(/ies$/, 'y'), of.replace(/es$/, '')];
  return name === 'id' || stems.some((stem) => ['id', 'key', 'no', 'number'].some((end) => name === `${stem}${end}`));
}
