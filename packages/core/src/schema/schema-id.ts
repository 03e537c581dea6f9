import type { AttributeId, ForeignKeyId, RelationId } from './schema.ts';

/**
 * How the names of a catalog compare. `insensitive` folds ASCII letters, as SQLite does
 * (https://sqlite.org/lang_keywords.html, https://sqlite.org/c3ref/stricmp.html); `sensitive` takes stored names as
 * they are (PostgreSQL, Snowflake: the engine has folded unquoted names before it stored them).
 */
export type NameComparison = 'insensitive' | 'sensitive';

/**
 * The parts of a relation's name as the engine stores them. `schema` and `database` stand where the engine has them.
 */
export interface NameParts {
  readonly database?: string | undefined;
  readonly schema?: string | undefined;
  readonly relation: string;
}

/** The form of a stored name under which equal names are equal. */
export function foldName(name: string, comparison: NameComparison): string {
  // Most names are folded as they stand, and a look is cheaper than a replacement.
  return comparison === 'sensitive' || !/[A-Z]/.test(name)
    ? name
    : name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
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

/** The name parts of a relation's id, outermost first, folded as they were when the id was made. */
export function relationNameParts(id: RelationId): string[] {
  return id.split('.').map(decodePart);
}

/**
 * Names that every object answers to. Ids are keys of plain records, so that a table called `__proto__` or
 * `constructor` must not get an id of that spelling: its first letter is encoded.
 */
const OBJECT_NAMES: ReadonlySet<string> = new Set([
  '__proto__',
  '__defineGetter__',
  '__defineSetter__',
  '__lookupGetter__',
  '__lookupSetter__',
  'constructor',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  'toString',
  'valueOf',
]);

function encodePart(part: string): string {
  const encoded = part.replace(/[%.#(),>]/g, encodeCharacter);
  return OBJECT_NAMES.has(encoded) ? encodeCharacter(encoded) + encoded.slice(1) : encoded;
}

/** The first character of a text as `%` and its code in hexadecimal. */
function encodeCharacter(text: string): string {
  return `%${text.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function decodePart(part: string): string {
  return part.replace(/%([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
