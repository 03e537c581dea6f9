import type { NestedField } from '@askema/core';

/** BigQuery nests up to 15 levels deep (https://cloud.google.com/bigquery/quotas#standard_tables). */
const MAX_DEPTH = 20;

/**
 * The fields inside a type as INFORMATION_SCHEMA writes it: `ARRAY<STRUCT<sku STRING, tags ARRAY<STRING>>>` has `[]`, `[].sku`, `[].tags`,
 * `[].tags[]`. Empty for a type without fields, and for one that cannot be read.
 */
export function nestedFieldsOf(type: string): NestedField[] {
  const found: NestedField[] = [];
  const reader = createReader(type);
  try {
    readType(reader, [], 0, found);
  } catch (error) {
    if (error instanceof UnreadableType) return [];
    throw error;
  }
  return found;
}

class UnreadableType extends Error {}

interface Reader {
  /** The token at the current place; empty at the end. */
  peek(ahead?: number): string;
  next(): string;
  /** Where the current token begins. */
  start(): number;
  /** The text from a start up to the end of the token before the current one. */
  since(start: number): string;
}

function createReader(text: string): Reader {
  const tokens: { readonly text: string; readonly at: number }[] = [];
  for (const match of text.matchAll(/`(?:\\.|[^`\\])*`|[<>,()]|[^\s<>,()`]+/gu))
    tokens.push({ text: match[0], at: match.index });
  let place = 0;
  return {
    peek: (ahead = 0) => tokens[place + ahead]?.text ?? '',
    next: () => {
      place += 1;
      return tokens[place - 1]?.text ?? '';
    },
    start: () => tokens[place]?.at ?? text.length,
    since: (start) => {
      const last = tokens[place - 1];
      return last === undefined ? '' : text.slice(start, last.at + last.text.length);
    },
  };
}

/** Reads one type and adds what is inside of it; gives its text. */
function readType(reader: Reader, path: readonly string[], depth: number, found: NestedField[]): string {
  if (depth > MAX_DEPTH) throw new UnreadableType();
  const start = reader.start();
  const name = reader.next().toUpperCase();
  if (name === 'ARRAY' && reader.peek() === '<') {
    reader.next();
    readInner(reader, [...path, '[]'], depth, found);
    expect(reader, '>');
  } else if (name === 'STRUCT' && reader.peek() === '<') {
    reader.next();
    while (reader.peek() !== '>') {
      const field = unquote(reader.next());
      if (field === '') throw new UnreadableType();
      readInner(reader, [...path, field], depth, found);
      if (reader.peek() === ',') reader.next();
      else if (reader.peek() !== '>') throw new UnreadableType();
    }
    expect(reader, '>');
  } else if (name === 'RANGE' && reader.peek() === '<') {
    reader.next();
    readType(reader, path, depth + 1, []);
    expect(reader, '>');
  } else if (name === '' || '<>,()'.includes(name)) {
    throw new UnreadableType();
  }
  if (reader.peek() === '(') {
    while (reader.peek() !== ')' && reader.peek() !== '') reader.next();
    expect(reader, ')');
  }
  return reader.since(start);
}

function readInner(reader: Reader, path: readonly string[], depth: number, found: NestedField[]): void {
  // A node stands in front of what is inside of it.
  const inner: NestedField[] = [];
  const nativeType = readType(reader, path, depth + 1, inner);
  found.push({ path, nativeType });
  for (const field of inner) found.push(field);
}

function expect(reader: Reader, token: string): void {
  if (reader.next() !== token) throw new UnreadableType();
}

function unquote(name: string): string {
  return name.startsWith('`') ? name.slice(1, -1).replace(/\\(.)/gu, '$1') : name;
}

/** Fields with what is said of them, by their paths without `[]`: `sku` for the element `[]`, then `sku`. */
export function withDescriptions(
  fields: readonly NestedField[],
  textOf: (path: string) => string | undefined,
): NestedField[] {
  return fields.map((field) => {
    const last = field.path.at(-1);
    // An element is described by what holds it.
    const comment = last === '[]' ? undefined : textOf(field.path.filter((step) => step !== '[]').join('.'));
    return comment === undefined ? field : { ...field, comment };
  });
}
