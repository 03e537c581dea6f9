import { entryHash, type KnowledgeEntry } from '../folder/checks.ts';
import type { ListedEntry } from './list-entries.ts';

/** An entry that two versions of knowledge have in different words, or that one of them lacks. */
export interface EntryDifference {
  readonly id: string;
  readonly kind: 'added' | 'removed' | 'changed';
  /** Of what changed: each part that differs. */
  readonly parts: readonly PartDifference[];
}

export interface PartDifference {
  /** `definition.filter`. */
  readonly part: string;
  /** Undefined where the part was not there. */
  readonly before: unknown;
  readonly after: unknown;
}

/** What is in entries of their own, or about an entry rather than in it. */
const NOT_COMPARED: ReadonlySet<string> = new Set([
  'standing',
  'datasets',
  'relationships',
  'metrics',
  'filters',
  'fields',
]);

/** What differs from `before` to `after`, by id and in the order of `after`; what was removed comes last. */
export function diffEntries(before: readonly ListedEntry[], after: readonly ListedEntry[]): readonly EntryDifference[] {
  const old = byId(before);
  const present = byId(after);
  const differences: EntryDifference[] = [];
  for (const [key, { id, entry }] of present) {
    const known = old.get(key);
    if (known === undefined) differences.push({ id, kind: 'added', parts: [] });
    else if (entryHash(known.entry) !== entryHash(entry))
      differences.push({ id, kind: 'changed', parts: diffParts(known.entry, entry) });
  }
  for (const [key, { id }] of old) if (!present.has(key)) differences.push({ id, kind: 'removed', parts: [] });
  return differences;
}

function byId(entries: readonly ListedEntry[]): ReadonlyMap<string, ListedEntry> {
  return new Map(entries.map((one) => [one.id.toLowerCase(), one]));
}

function diffParts(before: KnowledgeEntry, after: KnowledgeEntry): readonly PartDifference[] {
  const parts: PartDifference[] = [];
  compare(own(before), own(after), '', parts);
  return parts;
}

function own(entry: KnowledgeEntry): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !NOT_COMPARED.has(key)));
}

function compare(before: unknown, after: unknown, part: string, parts: PartDifference[]): void {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  if (!isObject(before) || !isObject(after)) {
    parts.push({ part, before, after });
    return;
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
    compare(before[key], after[key], part === '' ? key : `${part}.${key}`, parts);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
