import type { Schema } from '@askema/core';
import { dependencyText } from '@askema/normal-form';
import type { ConceptualModel, LogicalDesign, LogicalProposal, NamedSchema, Participant } from '../model/index.ts';
import { listSection } from './report-text.ts';

/** A schema with names: a relation a line with its types, then its key and its foreign keys. */
export function namedSchemaText({ relations }: NamedSchema): string {
  return relations
    .map(({ name, attributes, primaryKey, foreignKeys }) =>
      [
        `${name}(${attributes.map((attribute) => `${attribute.name} ${attribute.type}`).join(', ')})`,
        `  key: ${primaryKey.join(', ')}`,
        ...foreignKeys.map(
          (key) => `  ${key.attributes.join(', ')} references ${key.target}(${key.targetAttributes.join(', ')})`,
        ),
      ].join('\n'),
    )
    .join('\n');
}

/** The 5-tuple, in the same form. Not null and unique stand only where the primary key does not say them. */
export function schemaText(schema: Schema): string {
  return schema.relations.map(({ id }) => relationLines(schema, id, []).join('\n')).join('\n');
}

/**
 * A design: each relation with its types, keys, foreign keys, other candidate keys, and dependencies beside that on the
 * primary key. Findings are left to `findingsText`.
 */
export function designText({ schema, relations }: LogicalDesign): string {
  const texts = schema.relations.map(({ id }) => {
    const designed = relations.find(({ relation }) => relation === id);
    const key = keyNames(schema, id);
    const more = (designed?.dependencies ?? [])
      .filter(({ left }) => left.length !== key.length || left.some((name) => !key.includes(name)))
      .map((dependency) => `  ${dependencyText(dependency)}`);
    const keys = (designed?.candidateKeys ?? []).map((key) => key.join(', '));
    const all = keys.length > 1 ? [`  candidate keys: ${keys.map((key) => `(${key})`).join(', ')}`] : [];
    return relationLines(schema, id, [...all, ...more]).join('\n');
  });
  return texts.join('\n');
}

function keyNames(schema: Schema, relation: string): readonly string[] {
  const key = schema.primaryKeys.find((one) => one.relation === relation)?.attributes ?? [];
  return key.map((id) => schema.attributes.find((attribute) => attribute.id === id)?.name ?? id);
}

function relationLines(schema: Schema, relation: string, more: readonly string[]): readonly string[] {
  const nameOf = (id: string) => schema.attributes.find((attribute) => attribute.id === id)?.name ?? id;
  const relationName = (id: string) => schema.relations.find((one) => one.id === id)?.name ?? id;
  const key = schema.primaryKeys.find((one) => one.relation === relation)?.attributes ?? [];
  const attributes = schema.attributes.filter((attribute) => attribute.relation === relation);
  const typed = attributes.map(({ id, name, type }) => {
    const said = schema.domainConstraints.filter(({ attribute }) => attribute === id && !key.includes(id));
    return [name, type, ...said.map(({ constraint }) => constraint)].join(' ');
  });
  return [
    `${relationName(relation)}(${typed.join(', ')})`,
    `  key: ${keyNames(schema, relation).join(', ')}`,
    ...schema.foreignKeys
      .filter((foreignKey) => foreignKey.relation === relation)
      .map(
        ({ target, pairs }) =>
          `  ${pairs.map(({ from }) => nameOf(from)).join(', ')} references ${relationName(target)}(${pairs.map(({ to }) => nameOf(to)).join(', ')})`,
      ),
    ...more,
  ];
}

/** An entity-relationship model, one line a set: `Borrows: Member (many), Book (many); facts: Borrow Date`. */
export function conceptualModelText({ entitySets, relationshipSets }: ConceptualModel): string {
  const entities = entitySets.map(({ name, attributes }) => `${name}(${attributes.join(', ')})`);
  const relationships = relationshipSets.map(({ name, participants, attributes }) => {
    const facts = attributes.length === 0 ? '' : `; facts: ${attributes.join(', ')}`;
    return `${name}: ${participants.map(participantText).join(', ')}${facts}`;
  });
  return [...listSection('Entity sets', entities), ...listSection('Relationship sets', relationships)].join('\n');
}

function participantText({ entity, role, cardinality }: Participant): string {
  return `${entity}${role === undefined ? '' : ` as ${role}`} (${cardinality})`;
}

/** A proposal: the types of each set, and what determines what. */
export function proposalText({ sets }: LogicalProposal): string {
  return sets
    .map(({ set, attributes, dependencies, preferredKey, relation = '' }) => {
      const types = attributes.map(({ name, type, constraints }) => [name, type, ...constraints].join(' '));
      return [
        `${relation === '' || relation === set ? set : `${set} as ${relation}`}(${types.join(', ')})`,
        ...dependencies.map((dependency) => `  ${dependencyText(dependency)}`),
        ...(preferredKey.length === 0 ? [] : [`  key: ${preferredKey.join(', ')}`]),
      ].join('\n');
    })
    .join('\n');
}
