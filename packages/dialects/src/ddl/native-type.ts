import type { Attribute, AttributeId, Dialect } from '@askema/core';
import type { DdlSource } from './ddl-source.ts';

/** Words that begin a column constraint: no part of a type, wherever they come from. */
const CONSTRAINT_WORDS =
  /\b(AS|AUTOINCREMENT|AUTO_INCREMENT|CHECK|COLLATE|CONSTRAINT|DEFAULT|FOREIGN|GENERATED|IDENTITY|KEY|NOT|NULL|ON|PRIMARY|REFERENCES|UNIQUE)\b/i;

/**
 * The type of an attribute as this dialect writes it. The native type of a catalog of the same dialect is taken over if
 * it is nothing but a type: SQLite accepts any quoted text in its place. Labels in quotes belong to a type that the
 * dialect names in `types.labelled`. All others are written from the logical type.
 */
export function nativeType(source: DdlSource, attribute: Attribute, dialect: Dialect): string {
  const known = source.native ? source.catalog?.attributes[attribute.id]?.nativeType : undefined;
  if (known !== undefined && isPlainType(withoutLabels(known, dialect))) return known;
  const { native, nativeInKey, nativeInWideKey } = dialect.types;
  const keys = keysWith(source, attribute);
  if (keys.length === 0) return native[attribute.type];
  const wide = nativeInWideKey?.native;
  const isWideType = (id: AttributeId): boolean => wide?.[source.index.attribute(id)?.type ?? 'TEXT'] !== undefined;
  const isWide =
    nativeInWideKey !== undefined && keys.some((key) => key.filter(isWideType).length >= nativeInWideKey.attributes);
  return (isWide ? wide?.[attribute.type] : undefined) ?? nativeInKey?.[attribute.type] ?? native[attribute.type];
}

/**
 * What the engine has to index with this attribute: keys, unique keys, and foreign keys, which are of the types of
 * keys.
 */
function keysWith({ index, uniqueKeys }: DdlSource, { id, relation }: Attribute): (readonly AttributeId[])[] {
  const primary = index.primaryKey(relation)?.attributes;
  return [
    ...(primary === undefined ? [] : [primary]),
    ...(uniqueKeys.get(relation) ?? []),
    ...index.foreignKeysFrom(relation).map(({ pairs }) => pairs.map(({ from }) => from)),
  ].filter((key) => key.includes(id));
}

/**
 * Without the list of labels behind `ENUM` and the like, where it is string literals of the dialect, commas between
 * them, and nothing else.
 */
function withoutLabels(type: string, { types, lexer }: Dialect): string {
  if (types.labelled === undefined || type.includes('\0')) return type;
  const body = [
    ...(lexer.backslashEscapes ? ['\\\\[^]'] : []),
    ...(lexer.doubledQuotes === false ? [] : ["''"]),
    lexer.backslashEscapes ? "[^'\\\\]" : "[^']",
  ].join('|');
  const label = `'(?:${body})*'`;
  const list = new RegExp(`\\b(${types.labelled.join('|')})\\s*\\(\\s*${label}(?:\\s*,\\s*${label})*\\s*\\)`, 'giu');
  return type.replace(list, '$1');
}

/** Letters, digits, blanks and balanced brackets, with commas inside of brackets only. */
function isPlainType(type: string): boolean {
  if (!/^[\p{L}\p{N}_ .,()<>[\]]*$/u.test(type) || CONSTRAINT_WORDS.test(type)) return false;
  const open: string[] = [];
  const pairs: Readonly<Record<string, string>> = { ')': '(', '>': '<', ']': '[' };
  for (const character of type) {
    if ('(<['.includes(character)) open.push(character);
    else if (character in pairs && open.pop() !== pairs[character]) return false;
    else if (character === ',' && open.length === 0) return false;
  }
  return open.length === 0;
}
