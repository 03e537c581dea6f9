import type { Catalog } from '../catalog/catalog.ts';
import { finishCatalog } from '../catalog/finish-catalog.ts';
import type { Attribute, DataType, DomainConstraint, ForeignKey, PrimaryKey, Relation, Schema } from './schema.ts';
import { attributeId, foreignKeyId, relationId } from './schema-id.ts';

/** For tests: a relation in words. */
export interface RelationFixture {
  /** `name TYPE`, optionally followed by `not null` or `unique`. */
  readonly attributes: readonly string[];
  readonly key?: readonly string[] | undefined;
  /** `from, from > target: to, to` */
  readonly references?: readonly string[] | undefined;
}

/** For tests: a schema from words, without any check. Relation names take dots for qualifiers. */
export function schemaFixture(relations: Readonly<Record<string, RelationFixture>>): Schema {
  const schema = {
    relations: [] as Relation[],
    attributes: [] as Attribute[],
    primaryKeys: [] as PrimaryKey[],
    foreignKeys: [] as ForeignKey[],
    domainConstraints: [] as DomainConstraint[],
  };
  for (const [path, { attributes, key, references = [] }] of Object.entries(relations)) {
    const parts = path.split('.');
    const relation = relationId(parts);
    schema.relations.push({ id: relation, name: parts.at(-1) ?? '' });
    for (const text of attributes) {
      const [, name = '', type = '', constraints = ''] = /^(.+) ([A-Z]+)((?: not null| unique)*)$/.exec(text) ?? [];
      const id = attributeId(relation, name);
      schema.attributes.push({ id, relation, name, type: type as DataType });
      for (const constraint of ['not null', 'unique'] as const)
        if (constraints.includes(constraint)) schema.domainConstraints.push({ attribute: id, constraint });
    }
    if (key !== undefined)
      schema.primaryKeys.push({ relation, attributes: key.map((name) => attributeId(relation, name)) });
    for (const text of references) schema.foreignKeys.push(foreignKeyFixture(relation, text));
  }
  return schema;
}

/** For tests: a catalog of the dialect `sqlite` around a schema. */
export function catalogFixture(schema: Schema, parts: Partial<Catalog> = {}): Catalog {
  const positions = new Map<string, number>();
  return finishCatalog({
    schemaVersion: 1,
    dialect: 'sqlite',
    name: 'fixture',
    nameComparison: 'insensitive',
    schema,
    relations: Object.fromEntries(
      schema.relations.map(({ id, name }) => {
        const [qualifier] = id.split('.').slice(0, -1);
        return [id, { nameParts: { relation: name, ...(qualifier ? { schema: qualifier } : {}) }, kind: 'table' }];
      }),
    ),
    attributes: Object.fromEntries(
      schema.attributes.map(({ id, relation, type }) => {
        const position = (positions.get(relation) ?? 0) + 1;
        positions.set(relation, position);
        return [id, { position, nativeType: type }];
      }),
    ),
    uniqueKeys: [],
    checks: [],
    families: [],
    keyStanding: {},
    incomplete: [],
    ...parts,
  });
}

function foreignKeyFixture(relation: string, text: string): ForeignKey {
  const [from = '', to = ''] = text.split(' > ');
  const [target = '', targetNames = ''] = to.split(': ');
  const targetId = relationId(target.split('.'));
  const names = targetNames.split(', ');
  const pairs = from.split(', ').map((name, index) => ({
    from: attributeId(relation, name),
    to: attributeId(targetId, names[index] ?? ''),
  }));
  return { id: foreignKeyId(relation, targetId, pairs), relation, target: targetId, pairs };
}

/** For tests of speed: relations of 35 attributes each, every one but the first with a key to the one before. */
export function largeCatalog(relationCount: number, attributeCount = 35): Catalog {
  const relations: Record<string, RelationFixture> = {};
  for (let index = 0; index < relationCount; index += 1) {
    const attributes = ['id NUMERIC not null'];
    for (let position = 1; position < attributeCount; position += 1)
      attributes.push(`column_${position}_of_${index} TEXT${position % 3 === 0 ? ' not null' : ''}`);
    relations[`schema_${index % 7}.relation_${index}`] = {
      attributes,
      key: ['id'],
      references: index === 0 ? [] : [`id > schema_${(index - 1) % 7}.relation_${index - 1}: id`],
    };
  }
  return catalogFixture(schemaFixture(relations));
}
