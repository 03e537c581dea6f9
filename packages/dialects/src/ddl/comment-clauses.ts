import { fillProbe, quoteIfNeeded, quoteString, type RelationId } from '@askema/core';
import { relationName, type Writer } from './ddl-writer.ts';

/** Comments of a relation and its attributes as statements of their own, where the dialect has such. */
export function commentStatements(writer: Writer, relation: RelationId): string[] {
  const { source, dialect } = writer;
  const traits = dialect.ddl.comments;
  if (!writer.comments || traits?.placement !== 'statement') return [];
  const holes = { relation: relationName(writer, relation) };
  const statement = (template: string, text: string | undefined, attribute?: string): string[] =>
    text === undefined || text === ''
      ? []
      : [`${fillProbe(template, { ...holes, ...(attribute && { attribute }), text: quoteString(text, dialect) })};`];
  return [
    ...statement(traits.relation, source.catalog?.relations[relation]?.comment),
    ...source.index.attributesOf(relation).flatMap(({ id, name }) => {
      const text = source.catalog?.attributes[id]?.comment;
      return statement(traits.attribute, text, quoteIfNeeded(name, dialect));
    }),
  ];
}

/** A comment behind what it is about, where the dialect has such; empty otherwise. */
export function commentSuffix(
  { dialect }: Writer,
  kind: 'relation' | 'attribute',
  text: string | undefined,
  holes: Readonly<Record<string, string>>,
): string {
  const traits = dialect.ddl.comments;
  if (text === undefined || text === '' || traits?.placement !== 'suffix') return '';
  return ` ${fillProbe(traits[kind], { ...holes, text: quoteString(text, dialect) })}`;
}
