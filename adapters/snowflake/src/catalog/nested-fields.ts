import type { NestedField } from '@askema/core';
import { type JsonKind, scanJson } from './scan-json.ts';

/** Fields of one column that a catalog keeps. */
export const MAX_FIELDS = 100;
/** Parts of a path. */
export const MAX_DEPTH = 8;
/** Longer keys are data rather than names. */
const MAX_KEY_CHARACTERS = 128;
/** Different paths that are counted before the most frequent are chosen. */
const MAX_COUNTED = 5_000;

interface CountedPath {
  readonly path: readonly string[];
  readonly kinds: Set<JsonKind>;
  documents: number;
  last: number;
}

/**
 * The fields of a column, from some of its documents as JSON texts (each may be cut off). Of more than {@link MAX_FIELDS} those that stand in most
 * documents are kept, so that keys that are data (`{"2024-01-01": …}`) do not push names out; a field never without the one that it is in. Order: as first
 * seen.
 */
export function nestedFieldsOf(documents: Iterable<string>): NestedField[] {
  const counted = new Map<string, CountedPath>();
  let number = 0;
  for (const document of documents) {
    number += 1;
    scanJson(document, (path, kind) => {
      if (path.length === 0 || path.length > MAX_DEPTH) return;
      if (path.some((part) => part.length > MAX_KEY_CHARACTERS)) return;
      const key = JSON.stringify(path);
      let entry = counted.get(key);
      if (entry === undefined) {
        if (counted.size >= MAX_COUNTED) return;
        entry = { path: [...path], kinds: new Set(), documents: 0, last: 0 };
        counted.set(key, entry);
      }
      entry.kinds.add(kind);
      if (entry.last === number) return;
      entry.last = number;
      entry.documents += 1;
    });
  }
  const all = [...counted.values()];
  // The sort is stable, and what a field is in stands in as many documents and before it.
  const kept = new Set(all.toSorted((a, b) => b.documents - a.documents).slice(0, MAX_FIELDS));
  return all.filter((entry) => kept.has(entry)).map(({ path, kinds }) => ({ path, nativeType: typeOf(kinds) }));
}

const TYPES: Readonly<Record<Exclude<JsonKind, 'null'>, string>> = {
  object: 'OBJECT',
  array: 'ARRAY',
  string: 'VARCHAR',
  integer: 'NUMBER',
  number: 'FLOAT',
  boolean: 'BOOLEAN',
};

/** What a field is to be cast to; VARIANT where its values differ, or all are null. */
function typeOf(kinds: ReadonlySet<JsonKind>): string {
  const types = new Set([...kinds].flatMap((kind) => (kind === 'null' ? [] : [TYPES[kind]])));
  if (types.has('FLOAT')) types.delete('NUMBER');
  const [only, ...others] = types;
  return only === undefined || others.length > 0 ? 'VARIANT' : only;
}
