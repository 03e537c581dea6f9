import type { Attribute, Dialect, RelationId, SchemaIndex } from '@askema/core';
import { quoteIfNeeded } from '@askema/core';
import { writeOwnName } from './sub-questions.ts';

/** A relation that the columns of a query can belong to. */
export interface ScopeRelation {
  /** What stands before the dot of its columns, in lower case: its alias, or its name where it has none. */
  readonly names: readonly string[];
  /** The same as SQL. */
  readonly qualifier: string;
  /** Undefined for sub-questions and names that the catalog does not have. */
  readonly relation: RelationId | undefined;
}

interface NameSource {
  readonly dialect: Dialect;
  readonly index: SchemaIndex | undefined;
}

/** The deepest name that is looked at: database, schema, relation, column, and dots in names. */
const MAX_DOTS = 8;

/**
 * An argument that is nothing but the name of a column (`x`, `alias.x`, `relation.x`, as schemas show them, with blanks
 * and odd characters), quoted where the dialect needs it; undefined for anything else. `ownNames` are aliases of the
 * select list.
 */
export function columnText(
  written: string,
  scope: readonly ScopeRelation[],
  source: NameSource,
  ownNames: readonly string[] = [],
): string | undefined {
  const text = written.trim();
  for (const { relation } of scope) {
    const attribute = attributeIn(relation, text, source);
    if (attribute !== undefined) return columnName(text, attribute, source.dialect);
  }
  if (ownNames.includes(text)) return writeOwnName(text, source.dialect);
  let dot = text.indexOf('.');
  for (let count = 0; dot >= 0 && count < MAX_DOTS; count += 1) {
    const found = qualifiedColumn(text.slice(0, dot).trim(), text.slice(dot + 1).trim(), scope, source);
    if (found !== undefined) return found;
    dot = text.indexOf('.', dot + 1);
  }
  return undefined;
}

function qualifiedColumn(
  qualifier: string,
  column: string,
  scope: readonly ScopeRelation[],
  source: NameSource,
): string | undefined {
  const place = scope.find(({ names }) => names.includes(qualifier.toLowerCase()));
  if (place !== undefined) {
    if (column === '*') return `${place.qualifier}.*`;
    const attribute = attributeIn(place.relation, column, source);
    return attribute === undefined ? undefined : `${place.qualifier}.${columnName(column, attribute, source.dialect)}`;
  }
  const [relation, ...others] = relationsNamed(qualifier, source);
  if (relation === undefined || others.length > 0 || qualifier.includes('.')) return undefined;
  const attribute = attributeIn(relation.id, column, source);
  if (attribute === undefined) return undefined;
  return `${columnName(qualifier, relation, source.dialect)}.${columnName(column, attribute, source.dialect)}`;
}

/** Relations by a name as it is written, then as the dialect folds it. */
export function relationsNamed(name: string | readonly string[], { dialect, index }: NameSource) {
  if (index === undefined) return [];
  const found = index.relationsNamed(name);
  if (found.length > 0) return found;
  return index.relationsNamed(
    typeof name === 'string' ? folded(name, dialect) : name.map((part) => folded(part, dialect)),
  );
}

function attributeIn(
  relation: RelationId | undefined,
  name: string,
  { dialect, index }: NameSource,
): Attribute | undefined {
  if (relation === undefined || index === undefined) return undefined;
  return index.attributeNamed(relation, name) ?? index.attributeNamed(relation, folded(name, dialect));
}

/** As it was written where that needs no quotes, otherwise as it is stored. */
function columnName(written: string, { name }: { readonly name: string }, dialect: Dialect): string {
  const quoted = quoteIfNeeded(name, dialect);
  return quoted === name ? writeOwnName(written, dialect) : quoted;
}

function folded(name: string, { identifiers }: Dialect): string {
  if (identifiers.unquotedFolding === 'none') return name;
  return identifiers.unquotedFolding === 'upper' ? name.toUpperCase() : name.toLowerCase();
}
