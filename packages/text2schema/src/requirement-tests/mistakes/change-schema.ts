import type { Attribute, AttributeId, DomainConstraint, ForeignKeyId, RelationId, Schema } from '@askema/core';

/** Without attributes and what is said of them; keys that name them stay as they are. */
export function withoutAttributes(schema: Schema, gone: readonly AttributeId[]): Schema {
  return {
    ...schema,
    attributes: schema.attributes.filter(({ id }) => !gone.includes(id)),
    domainConstraints: schema.domainConstraints.filter(({ attribute }) => !gone.includes(attribute)),
  };
}

export function withoutForeignKey(schema: Schema, gone: ForeignKeyId): Schema {
  return { ...schema, foreignKeys: schema.foreignKeys.filter(({ id }) => id !== gone) };
}

/** Without a relation and the foreign keys that lead from it. */
export function withoutRelation(schema: Schema, gone: RelationId): Schema {
  const own = schema.attributes.filter(({ relation }) => relation === gone).map(({ id }) => id);
  const rest = withoutAttributes(schema, own);
  return {
    ...rest,
    relations: rest.relations.filter(({ id }) => id !== gone),
    primaryKeys: rest.primaryKeys.filter(({ relation }) => relation !== gone),
    foreignKeys: rest.foreignKeys.filter(({ relation }) => relation !== gone),
  };
}

/** With attributes behind those that their relation has. */
export function withAttributes(schema: Schema, relation: RelationId, added: readonly Attribute[]): Schema {
  const last = schema.attributes.findLastIndex((attribute) => attribute.relation === relation);
  return { ...schema, attributes: schema.attributes.toSpliced(last + 1, 0, ...added) };
}

export function withConstraint(schema: Schema, added: DomainConstraint): Schema {
  const isThere = schema.domainConstraints.some((one) => isSame(one, added));
  return isThere ? schema : { ...schema, domainConstraints: [...schema.domainConstraints, added] };
}

export function withoutConstraint(schema: Schema, gone: DomainConstraint): Schema {
  return { ...schema, domainConstraints: schema.domainConstraints.filter((one) => !isSame(one, gone)) };
}

/**
 * With another primary key. What it had before stays not null, as the key said; where it was one attribute alone, that
 * is no longer unique.
 */
export function withKey(schema: Schema, relation: RelationId, attributes: readonly AttributeId[]): Schema {
  const before = schema.primaryKeys.find((key) => key.relation === relation)?.attributes ?? [];
  const [lone] = before.length === 1 ? before : [];
  let changed = lone === undefined ? schema : withoutConstraint(schema, { attribute: lone, constraint: 'unique' });
  for (const attribute of new Set([...before, ...attributes]))
    changed = withConstraint(changed, { attribute, constraint: 'not null' });
  const primaryKeys = changed.primaryKeys.map((key) => (key.relation === relation ? { relation, attributes } : key));
  return { ...changed, primaryKeys };
}

function isSame(one: DomainConstraint, other: DomainConstraint): boolean {
  return one.attribute === other.attribute && one.constraint === other.constraint;
}
