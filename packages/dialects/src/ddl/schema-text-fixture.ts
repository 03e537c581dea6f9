import {
  type Attribute,
  attributeId,
  type Catalog,
  type DataType,
  type DomainConstraint,
  type ForeignKey,
  finishCatalog,
  foreignKeyId,
  type PrimaryKey,
  type Relation,
  relationId,
  type Schema,
} from '@askema/core';

/**
 * For tests: a schema from lines such as `orders: id NUMERIC key, customer NUMERIC not null > customers.id`. Nothing is
 * checked.
 */
export function schemaFromText(text: string): Schema {
  const schema = {
    relations: [] as Relation[],
    attributes: [] as Attribute[],
    primaryKeys: [] as PrimaryKey[],
    foreignKeys: [] as ForeignKey[],
    domainConstraints: [] as DomainConstraint[],
  };
  for (const line of text
    .split('\n')
    .map((raw) => raw.trim())
    .filter(Boolean)) {
    const [path = '', list = ''] = line.split(/: ?/, 2);
    const relation = relationId(path.split('/'));
    schema.relations.push({ id: relation, name: path.split('/').at(-1) ?? '' });
    const key: string[] = [];
    for (const item of list.split(', ').filter(Boolean)) {
      const [, name = '', type = '', words = '', target, to] =
        /^(.+?) ([A-Z]+)([a-z ]*)(?:> (.+)\.(.+))?$/.exec(item) ?? [];
      const id = attributeId(relation, name);
      schema.attributes.push({ id, relation, name, type: type as DataType });
      if (words.includes('key')) key.push(id);
      for (const constraint of ['not null', 'unique'] as const)
        if (words.includes(constraint)) schema.domainConstraints.push({ attribute: id, constraint });
      if (target === undefined || to === undefined) continue;
      const targetId = relationId(target.split('/'));
      const pairs = [{ from: id, to: attributeId(targetId, to) }];
      schema.foreignKeys.push({ id: foreignKeyId(relation, targetId, pairs), relation, target: targetId, pairs });
    }
    if (key.length > 0) schema.primaryKeys.push({ relation, attributes: key });
  }
  return schema;
}

/** For tests: a catalog around a schema; native types are the logical ones unless `parts` says otherwise. */
export function catalogFromText(text: string, parts: Partial<Catalog> = {}): Catalog {
  const schema = schemaFromText(text);
  return finishCatalog({
    schemaVersion: 1,
    dialect: 'sqlite',
    name: 'fixture',
    nameComparison: 'insensitive',
    schema,
    uniqueKeys: [],
    checks: [],
    families: [],
    keyStanding: {},
    incomplete: [],
    ...parts,
    relations: {
      ...Object.fromEntries(
        schema.relations.map(({ id, name }) => {
          const [qualifier] = id.split('.').slice(0, -1);
          return [
            id,
            { nameParts: { relation: name, ...(qualifier ? { schema: qualifier } : {}) }, kind: 'table' as const },
          ];
        }),
      ),
      ...parts.relations,
    },
    attributes: {
      ...Object.fromEntries(
        schema.attributes.map(({ id, type }, index) => [id, { position: index + 1, nativeType: type }]),
      ),
      ...parts.attributes,
    },
  });
}
