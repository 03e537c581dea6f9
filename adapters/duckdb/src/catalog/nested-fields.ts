import type { NestedField } from '@askema/core';

/** So many fields of one attribute, and so deep. */
const MAX_FIELDS = 2_000;
const MAX_DEPTH = 32;

/**
 * The fields within a type as DuckDB writes it: those of STRUCT and UNION by their names, an element of a list or array
 * as `[]`, a value of a map as `{}`. `STRUCT(a INTEGER, "b c" VARCHAR[])[]` has `[] a`, `[] "b c"` and `[] "b c" []`…
 * with the last one left out where an element has no fields.
 */
export function nestedFields(nativeType: string): readonly NestedField[] {
  if (!/[[(]/.test(nativeType)) return [];
  const fields: NestedField[] = [];
  addFields(nativeType, [], fields, 0);
  return fields;
}

function addFields(type: string, path: readonly string[], fields: NestedField[], depth: number): void {
  if (depth > MAX_DEPTH) return;
  const element = elementType(type);
  if (element !== undefined) {
    addFields(element, [...path, '[]'], fields, depth + 1);
    return;
  }
  const [, kind = '', inside = ''] = /^(STRUCT|UNION|MAP)\s*\((.*)\)$/s.exec(type) ?? [];
  if (kind === '') return;
  const parts = splitParts(inside);
  if (kind === 'MAP') {
    addFields(parts[1] ?? '', [...path, '{}'], fields, depth + 1);
    return;
  }
  for (const part of parts) {
    const field = nameAndType(part);
    if (field === undefined || fields.length >= MAX_FIELDS) return;
    const inner = [...path, field.name];
    fields.push({ path: inner, nativeType: field.type });
    addFields(field.type, inner, fields, depth + 1);
  }
}

/** Of `T[]` and `T[3]`. */
function elementType(type: string): string | undefined {
  if (!type.endsWith(']')) return undefined;
  const open = type.lastIndexOf('[');
  return open > 0 && /^\d*$/.test(type.slice(open + 1, -1)) ? type.slice(0, open) : undefined;
}

/** Parts between commas that stand in no brackets and no quotes. */
function splitParts(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"' || character === "'") index = endOfQuoted(text, index);
    else if (character === '(' || character === '[') depth += 1;
    else if (character === ')' || character === ']') depth -= 1;
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(start, index).trim());
      start = index + 1;
    }
  }
  const last = text.slice(start).trim();
  return last === '' ? parts : [...parts, last];
}

function nameAndType(part: string): { readonly name: string; readonly type: string } | undefined {
  if (!part.startsWith('"')) {
    const space = part.indexOf(' ');
    return space < 0 ? undefined : { name: part.slice(0, space), type: part.slice(space + 1).trim() };
  }
  const end = endOfQuoted(part, 0);
  return { name: part.slice(1, end).replaceAll('""', '"'), type: part.slice(end + 1).trim() };
}

/** Where the quote that opens at `start` closes; doubled ones stand for themselves. */
function endOfQuoted(text: string, start: number): number {
  const quote = text[start] ?? '';
  let end = text.indexOf(quote, start + 1);
  while (end >= 0 && text[end + 1] === quote) end = text.indexOf(quote, end + 2);
  return end < 0 ? text.length : end;
}
