import type { Attribute, AttributeId } from '@askema/core';
import type { ColumnShape, QueryBlock, RelationRef } from '@askema/sql';
import type { MutationSource } from './mutation.ts';

/** An attribute that a statement names, and the relation of FROM through which it does. */
export interface NamedAttribute {
  readonly attribute: Attribute;
  readonly at: RelationRef;
}

type Source = Pick<MutationSource, 'shape' | 'index'>;

/** The attributes of a relation of FROM; none for CTEs, derived tables and what the catalog does not have. */
export function attributesAt({ shape, index }: Source, at: RelationRef): readonly Attribute[] {
  const relation = shape.blocks[at.block]?.relations[at.relation];
  if (relation?.kind !== 'table') return [];
  const [found, ...others] = index.relationsNamed(relation.name.map(({ text }) => text));
  return found === undefined || others.length > 0 ? [] : index.attributesOf(found.id);
}

/**
 * What a column of the statement names, as far as the text and the catalog tell: by its qualifier, else by the only
 * relation of its own block that has such an attribute. It is written apart from `resolveQuery` on purpose: what is
 * measured does not make the measure.
 */
export function namedAttribute(source: Source, block: QueryBlock, column: ColumnShape): NamedAttribute | undefined {
  if (column.item !== undefined || column.path !== undefined) return undefined;
  const places =
    column.relation === undefined
      ? column.qualifier.length > 0
        ? []
        : block.relations.map((_, relation) => ({ block: block.id, relation }))
      : [column.relation];
  const found = places.flatMap((at) => {
    const attribute = attributesAt(source, at).find(({ name }) => isSameName(name, column.name.text));
    return attribute === undefined ? [] : [{ attribute, at }];
  });
  return found.length === 1 ? found[0] : undefined;
}

/** True where the catalog compares names without case, as SQLite does. */
export function isSameName(first: string, second: string): boolean {
  return first.toLowerCase() === second.toLowerCase();
}

/** How FROM calls a relation: its alias, else the last part of its name, as they are written. */
export function exposedName(sql: string, { shape }: Source, at: RelationRef): string | undefined {
  const relation = shape.blocks[at.block]?.relations[at.relation];
  const part = relation?.alias ?? relation?.name.at(-1);
  return part === undefined ? undefined : sql.slice(part.span.start, part.span.end);
}

/** The attributes that foreign keys and primary keys of the schema hold. */
export function keyAttributes({ index }: Source): ReadonlySet<AttributeId> {
  const { primaryKeys, foreignKeys } = index.schema;
  return new Set([
    ...primaryKeys.flatMap(({ attributes }) => attributes),
    ...foreignKeys.flatMap(({ pairs }) => pairs.flatMap(({ from, to }) => [from, to])),
  ]);
}
