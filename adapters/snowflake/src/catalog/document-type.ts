import type { JsonKind } from '@askema/adapter-kit';

const TYPES: Readonly<Record<Exclude<JsonKind, 'null'>, string>> = {
  object: 'OBJECT',
  array: 'ARRAY',
  string: 'VARCHAR',
  integer: 'NUMBER',
  number: 'FLOAT',
  boolean: 'BOOLEAN',
};

/** What a field is to be cast to; VARIANT where its values differ, or all are null. */
export function documentType(kinds: ReadonlySet<JsonKind>): string {
  const types = new Set([...kinds].flatMap((kind) => (kind === 'null' ? [] : [TYPES[kind]])));
  if (types.has('FLOAT')) types.delete('NUMBER');
  const [only, ...others] = types;
  return only === undefined || others.length > 0 ? 'VARIANT' : only;
}
