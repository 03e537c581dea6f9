import type { Catalog } from '../catalog/catalog.ts';
import type { CheckFinding } from './check-finding.ts';
import { checkForeignKeys, undeclaredReference } from './check-foreign-keys.ts';
import { checkKeys } from './check-keys.ts';
import { type CheckedCatalog, checkedCatalog } from './names.ts';
import { type NamedReference, namedReferences } from './reference-names.ts';

/**
 * What the catalog of a live database speaks of: tables without a key, keys that are larger than they need be or may be NULL, foreign keys to nothing,
 * to no key, of other types or said twice, attributes that are called like references, and tables that nothing connects. In the order of the tables.
 */
export function checkCatalog(catalog: Catalog): readonly CheckFinding[] {
  const checked = checkedCatalog(catalog);
  const references = namedReferences(checked);
  return checked.tables.flatMap((relation) => findingsOf(checked, relation, references));
}

/** The same for one table. */
export function findingsOf(
  checked: CheckedCatalog,
  relation: string,
  references: readonly NamedReference[],
): readonly CheckFinding[] {
  return [
    ...checkKeys(checked, relation),
    ...checkForeignKeys(checked, relation),
    ...references
      .filter((reference) => reference.relation === relation)
      .map((reference) => undeclaredReference(checked, reference)),
    ...checkIsolated(checked, relation, references),
  ];
}

function checkIsolated(
  { index, tables, relationName, lostForeignKeys }: CheckedCatalog,
  relation: string,
  references: readonly NamedReference[],
): readonly CheckFinding[] {
  const isConnected =
    index.foreignKeysFrom(relation).length > 0 ||
    index.foreignKeysTo(relation).length > 0 ||
    references.some((reference) => reference.relation === relation || reference.target === relation) ||
    lostForeignKeys(relation).length > 0;
  if (isConnected || tables.length < 2) return [];
  return [
    {
      code: 'relation-isolated',
      severity: 'note',
      relation,
      attributes: [],
      message: `Nothing connects \`${relationName(relation)}\` with another table, neither a foreign key nor a name.`,
      advice: 'If it belongs to others, declare how.',
    },
  ];
}
