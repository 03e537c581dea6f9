import type { ForeignKey, RelationId } from '../schema/schema.ts';
import type { CheckFinding } from './check-finding.ts';
import type { CheckedCatalog } from './names.ts';
import type { NamedReference } from './reference-names.ts';

/** What the catalog tells about the foreign keys of one table. */
export function checkForeignKeys(checked: CheckedCatalog, relation: RelationId): readonly CheckFinding[] {
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

/** An attribute that is called like a reference: a note, as names alone tell. */
export function undeclaredReference(
  { relationName, listed }: CheckedCatalog,
  { relation, from, target, to }: NamedReference,
): CheckFinding {
  return {
    code: 'reference-undeclared',
    severity: 'note',
    relation,
    attributes: [from],
    target: { relation: target, attributes: [to] },
    message: `${listed([from])} of \`${relationName(relation)}\` is called like a reference to \`${relationName(target)}\`.${listed([to])}, and no foreign key says so.`,
    advice: 'Declare the foreign key if it is one; --data shows whether its values are there.',
  };
}
