import type { AttributeId, Catalog, ForeignKey, RelationId } from '@askema/core';
import type { CheckFinding } from './check-finding.ts';
import { type CheckedCatalog, type CheckedDialect, checkedCatalog } from './checked-catalog.ts';
import { isOwnIdentifier, type NamedReference, namedReferences } from './reference-names.ts';

/**
 * What is wrong with the catalog of a live database: tables without a key; keys that are too large or may be NULL;
 * foreign keys that are declared twice, have no target, do not refer to a key or compare different types; attributes
 * named like references; tables that nothing connects. In the order of the tables. `dialect`, that of the adapter, says
 * what the engine allows in keys.
 */
export function checkCatalog(catalog: Catalog, dialect?: CheckedDialect): readonly CheckFinding[] {
  const checked = checkedCatalog(catalog, dialect);
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

/** Findings about the foreign keys of one table. */
function checkForeignKeys(checked: CheckedCatalog, relation: RelationId): readonly CheckFinding[] {
  const keys = checked.index.foreignKeysFrom(relation);
  return [
    ...withoutTarget(checked, relation),
    ...keys.flatMap((key) => checkTarget(checked, key)),
    ...keys.flatMap((key) => checkTypes(checked, key)),
    ...keys.flatMap((key, at) => checkRepeated(checked, key, keys.slice(0, at))),
  ];
}

function withoutTarget(
  { lostForeignKeys, index, relationName }: CheckedCatalog,
  relation: RelationId,
): readonly CheckFinding[] {
  return lostForeignKeys(relation).map(({ reason, foreignKey }) => ({
    code: 'foreign-key-without-target',
    severity: 'error',
    relation,
    attributes: (foreignKey?.attributes ?? []).flatMap((name) => index.attributeNamed(relation, name)?.id ?? []),
    message: `\`${relationName(relation)}\`: ${reason}.`,
    advice:
      'Create what it refers to, or drop the foreign key; where foreign keys are enforced, no row can be written.',
  }));
}

function checkTarget(checked: CheckedCatalog, key: ForeignKey): readonly CheckFinding[] {
  const { index, catalog, listed, relationName } = checked;
  const to = key.pairs.map((pair) => pair.to);
  if (index.relation(key.target) === undefined) return [];
  const covers = (attributes: readonly string[]): boolean =>
    attributes.length === to.length && attributes.every((id) => to.includes(id));
  const isKey =
    covers(index.primaryKey(key.target)?.attributes ?? []) ||
    (to.length === 1 && to.every((id) => index.isUnique(id))) ||
    catalog.uniqueKeys.some(({ relation, attributes }) => relation === key.target && covers(attributes));
  if (isKey) return [];
  return [
    {
      ...placeOf(key),
      code: 'foreign-key-to-no-key',
      severity: 'error',
      message: `${describe(checked, key)}: ${listed(to)} is no key of \`${relationName(key.target)}\`, neither primary nor unique.`,
      advice: `Refer to a key, or declare ${listed(to)} unique; most engines refuse such a foreign key, SQLite refuses to write once foreign keys are enforced.`,
    },
  ];
}

function checkTypes(checked: CheckedCatalog, key: ForeignKey): readonly CheckFinding[] {
  const { index, catalog } = checked;
  const typeOf = (id: string): string => catalog.attributes[id]?.nativeType || (index.attribute(id)?.type ?? '');
  return key.pairs.flatMap(({ from, to }) => {
    const [child, parent] = [index.attribute(from), index.attribute(to)];
    if (child === undefined || parent === undefined || child.type === parent.type) return [];
    return [
      {
        ...placeOf(key),
        code: 'foreign-key-type-mismatch',
        severity: 'warning',
        message: `${describe(checked, key)}: \`${child.name}\` is ${typeOf(from)}, \`${parent.name}\` is ${typeOf(to)}.`,
        advice: 'Give both one type: other engines refuse this, and comparing them may find nothing.',
      } satisfies CheckFinding,
    ];
  });
}

function checkRepeated(
  checked: CheckedCatalog,
  key: ForeignKey,
  earlier: readonly ForeignKey[],
): readonly CheckFinding[] {
  const has = (one: ForeignKey, { from, to }: ForeignKey['pairs'][number]): boolean =>
    one.pairs.some((pair) => pair.from === from && pair.to === to);
  const isWithin = (one: ForeignKey, other: ForeignKey): boolean => one.pairs.every((pair) => has(other, pair));
  const repeated = earlier.find(
    (other) => other.target === key.target && (isWithin(key, other) || isWithin(other, key)),
  );
  if (repeated !== undefined) {
    return [
      {
        ...placeOf(key),
        code: 'foreign-key-repeated',
        severity: 'warning',
        message: `${describe(checked, key)} says again what ${describe(checked, repeated)} says.`,
        advice: 'Drop one of them.',
      },
    ];
  }
  const sameStart = earlier.find(
    (other) =>
      other.target !== key.target &&
      other.pairs.length === key.pairs.length &&
      other.pairs.every(({ from }) => key.pairs.some((pair) => pair.from === from)),
  );
  if (sameStart === undefined) return [];
  return [
    {
      ...placeOf(key),
      code: 'foreign-key-repeated',
      severity: 'note',
      message: `${describe(checked, key)} starts at the same attributes as ${describe(checked, sameStart)}.`,
      advice: 'If one value never means both, give each reference an attribute of its own.',
    },
  ];
}

function placeOf(key: ForeignKey): Pick<CheckFinding, 'relation' | 'attributes' | 'target'> {
  return {
    relation: key.relation,
    attributes: key.pairs.map(({ from }) => from),
    target: { relation: key.target, attributes: key.pairs.map(({ to }) => to) },
  };
}

/** `` `order`.`customer_id` → `customer`.`id` ``. */
function describe({ relationName, listed }: CheckedCatalog, { relation, target, pairs }: ForeignKey): string {
  const [from, to] = [pairs.map((pair) => pair.from), pairs.map((pair) => pair.to)];
  return `The foreign key \`${relationName(relation)}\`.${listed(from)} → \`${relationName(target)}\`.${listed(to)}`;
}

/** The finding for an attribute that is named like a reference. A note: only its name suggests it. */
function undeclaredReference(
  { relationName, listed }: CheckedCatalog,
  { relation, from, target, to }: NamedReference,
): CheckFinding {
  return {
    code: 'reference-undeclared',
    severity: 'note',
    relation,
    attributes: [from],
    target: { relation: target, attributes: [to] },
    message: `${listed([from])} of \`${relationName(relation)}\` is named like a reference to \`${relationName(target)}\`.${listed([to])}, and no foreign key says so.`,
    advice: 'Declare the foreign key if it is one; --data shows whether its values are there.',
  };
}

/** Findings about the keys of one table. */
function checkKeys(checked: CheckedCatalog, relation: RelationId): readonly CheckFinding[] {
  const { index, listed, keysOf, relationName, catalog, dialect } = checked;
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
      message: `${listed(nullable)} of the primary key of \`${name}\` may be NULL${dialect?.ddl.nullsInPrimaryKey === true ? `, as ${dialect.displayName} does not forbid it` : ''}: two such rows count as different.`,
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

  /** Such a key is the number of the row, which is never NULL. */
  function isRowNumber(id: AttributeId): boolean {
    const type = catalog.attributes[id]?.nativeType ?? '';
    return primary.length === 1 && type !== '' && type.toUpperCase() === dialect?.ddl.rowNumberType;
  }
}
