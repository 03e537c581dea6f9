import type { AttributeId, RelationId } from '../schema/schema.ts';
import type { CheckFinding } from './check-finding.ts';
import type { CheckedCatalog } from './names.ts';
import { isOwnIdentifier } from './reference-names.ts';

/** What the catalog tells about the keys of one table. */
export function checkKeys(checked: CheckedCatalog, relation: RelationId): readonly CheckFinding[] {
  const { index, listed, keysOf, relationName, catalog } = checked;
  const name = relationName(relation);
  const primary = index.primaryKey(relation)?.attributes ?? [];
  const keys = keysOf(relation);
  const found: CheckFinding[] = [];
  if (keys.length === 0) {
    found.push({
      code: 'relation-without-key',
      severity: 'warning',
      relation,
      attributes: [],
      message: `\`${name}\` declares no key: rows may stand there twice, and nothing can refer to one of them.`,
      advice: 'Declare a primary key; --data shows what is unique in the rows.',
    });
  }
  const nullable = primary.filter((id) => !index.isNotNull(id) && !isRowNumber(id));
  if (nullable.length > 0) {
    found.push({
      code: 'key-part-nullable',
      severity: 'note',
      relation,
      attributes: nullable,
      message: `${listed(nullable)} of the primary key of \`${name}\` may be NULL${catalog.dialect === 'sqlite' ? ', as SQLite does not forbid it' : ''}: two such rows count as different.`,
      advice: 'Declare NOT NULL.',
    });
  }
  for (const key of keys) {
    const smaller = keys.find((other) => other.length < key.length && other.every((id) => key.includes(id)));
    if (smaller === undefined) continue;
    found.push({
      code: 'key-holds-key',
      severity: 'warning',
      relation,
      attributes: key,
      message: `The key ${listed(key)} of \`${name}\` holds ${listed(smaller)}, which is a key by itself.`,
      advice: 'Keep the smaller key; the larger one forbids nothing more.',
    });
  }
  const surrogate = primary.length < 2 ? undefined : primary.find((id) => isSurrogate(id));
  if (surrogate !== undefined && !keys.some((key) => key.length === 1 && key[0] === surrogate)) {
    const isAll = primary.length === index.attributesOf(relation).length;
    found.push({
      code: 'key-holds-surrogate',
      severity: 'warning',
      relation,
      attributes: primary,
      message: `The primary key of \`${name}\` is ${isAll ? 'all of its attributes' : listed(primary)}, among them ${listed([surrogate])}, which by its name identifies a row alone.`,
      advice: `If it does, make ${listed([surrogate])} the primary key; as it is, it may stand there twice.`,
    });
  }
  return found;

  function isSurrogate(id: AttributeId): boolean {
    const isReference = index.foreignKeysFrom(relation).some(({ pairs }) => pairs.some(({ from }) => from === id));
    return !isReference && isOwnIdentifier(checked.attributeName(id), index.relation(relation)?.name ?? '');
  }

  /** A single INTEGER key of SQLite is the number of the row, which is never NULL (https://sqlite.org/lang_createtable.html#rowid). */
  function isRowNumber(id: AttributeId): boolean {
    const type = catalog.attributes[id]?.nativeType ?? '';
    return catalog.dialect === 'sqlite' && primary.length === 1 && type.toUpperCase() === 'INTEGER';
  }
}
