import { type AttributeId, type Dialect, oneLine, qualifiedName, quoteIfNeeded, type RelationId } from '@askema/core';
import { type DdlSource, namePartsOf } from './ddl-source.ts';

/** What every part of the DDL writer needs. */
export interface Writer {
  readonly source: DdlSource;
  readonly dialect: Dialect;
  /** Of each relation in the order of the CREATE statements. */
  readonly position: ReadonlyMap<RelationId, number>;
  readonly ifNotExists: boolean;
  readonly foreignKeys: boolean;
  readonly comments: boolean;
}

/** One line of a CREATE TABLE: SQL that takes a comma, or a remark that does not. */
export type Line = { readonly sql: string; readonly remark?: string | undefined } | { readonly remark: string };

/** The name of a relation as SQL, with its qualifiers. */
export function relationName({ source, dialect }: Writer, relation: RelationId): string {
  return qualifiedName(namePartsOf(source, relation), dialect);
}

/** The names of attributes as SQL, with commas between them. */
export function attributeNames({ source, dialect }: Writer, attributes: readonly AttributeId[]): string {
  return attributes.map((id) => quoteIfNeeded(source.index.attribute(id)?.name ?? id, dialect)).join(', ');
}

/** A text as a line comment, whatever line breaks are in it. */
export function lineComment(dialect: Dialect, text: string): string {
  return `${(dialect.lexer.lineComments[0] ?? '--').trimEnd()} ${oneLine(text)}`;
}
