import type { AttributeId, ForeignKeyId, RelationId } from './schema.ts';

/**
 * How the names of a catalog compare. `insensitive` folds ASCII letters, as SQLite does
 * (https://sqlite.org/lang_keywords.html, https://sqlite.org/c3ref/stricmp.html); `sensitive` takes stored names as they are
 * (PostgreSQL, Snowflake: the engine has folded unquoted names before it stored them).
 */
export type NameComparison = 'insensitive' | 'sensitive';

/** The form of a stored name under which equal names are equal. */
export function foldName(name: string, comparison: NameComparison): string {
  return comparison === 'sensitive' ? name : name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * The id of a relation: its qualified name parts (outermost first), folded and encoded, joined by `.`.
 * The same parts give the same id in every process; different parts never share one.
 */
export function relationId(parts: readonly string[], comparison: NameComparison = 'insensitive'): RelationId {
  return parts.map((part) => encodePart(foldName(part, comparison))).join('.');
}

/** The id of an attribute: the id of its relation, `#`, and its folded, encoded name. */
export function attributeId(
  relation: RelationId,
  name: string,
  comparison: NameComparison = 'insensitive',
): AttributeId {
  return `${relation}#${encodePart(foldName(name, comparison))}`;
}

/** The id of a foreign key: made from what it connects, because constraint names are optional and not unique. */
export function foreignKeyId(
  relation: RelationId,
  target: RelationId,
  pairs: readonly { readonly from: AttributeId; readonly to: AttributeId }[],
): ForeignKeyId {
  const local = (id: AttributeId): string => id.slice(id.indexOf('#') + 1);
  return `${relation}(${pairs.map((pair) => local(pair.from)).join(',')})>${target}(${pairs.map((pair) => local(pair.to)).join(',')})`;
}

function encodePart(part: string): string {
  return part.replace(
    /[%.#(),>]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
