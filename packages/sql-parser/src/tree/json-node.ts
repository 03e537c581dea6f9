/** Reading of a foreign tree of which nothing is taken for granted. */

export type JsonNode = Readonly<Record<string, unknown>>;

export function isNode(value: unknown): value is JsonNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function field(value: unknown, name: string): unknown {
  return isNode(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A field of a field of … . */
export function at(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(field, value);
}

/** An empty list where there is none. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** `{ Tag: content }` and `'Tag'` as tag and content, which is how Rust's enums are written. */
export function variant(value: unknown): readonly [tag: string, content: unknown] {
  if (typeof value === 'string') return [value, undefined];
  if (!isNode(value)) return ['', undefined];
  const tag = Object.keys(value)[0] ?? '';
  return [tag, value[tag]];
}

export function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined && value !== false;
}
