import { isObject } from '../formats/plain-object.ts';
import { type KnowledgeEntry, ownParts } from '../model/entries.ts';
import type { ListedEntry } from '../model/list-entries.ts';
import type { Standing } from '../model/standing.ts';
import { plainKey } from '../verified/plain-question.ts';
import { entryHash } from './checks.ts';

/** An entry that two versions of knowledge have in different words, or that one of them lacks. */
export interface EntryDifference {
  readonly id: string;
  readonly kind: 'added' | 'removed' | 'changed';
  /** Of what changed each part that differs, of what was added all; none of what was removed. */
  readonly parts: readonly PartDifference[];
}

/** A part of an entry in its two versions. */
export interface PartDifference {
  /** `definition.filter`. */
  readonly part: string;
  /** Undefined where the part was not there. */
  readonly before: unknown;
  readonly after: unknown;
}

/** What differs from `before` to `after`, by id and in the order of `after`; what was removed comes last. */
export function diffEntries(before: readonly ListedEntry[], after: readonly ListedEntry[]): readonly EntryDifference[] {
  const old = byId(before);
  const present = byId(after);
  const found: EntryDifference[] = [];
  for (const [key, { id, entry, standing }] of present) {
    const known = old.get(key);
    if (known === undefined || !isReplaced(known, standing, entry))
      found.push({ id, kind: 'added', parts: partsThatDiffer({}, ownParts(entry)) });
    else if (entryHash(known.entry) !== entryHash(entry))
      found.push({ id, kind: 'changed', parts: partsThatDiffer(ownParts(known.entry), ownParts(entry)) });
  }
  for (const [key, { id }] of old) if (!present.has(key)) found.push({ id, kind: 'removed', parts: [] });
  return found;
}

/** What a person proposes goes beside an accepted text of its name, and beside a query for another question. */
function isReplaced(known: ListedEntry, { by }: Standing, entry: KnowledgeEntry): boolean {
  if (by === undefined) return true;
  if ('question' in entry && 'question' in known.entry)
    return plainKey(entry.question) === plainKey(known.entry.question);
  return !('appliesTo' in entry);
}

function byId(entries: readonly ListedEntry[]): ReadonlyMap<string, ListedEntry> {
  return new Map(entries.map((one) => [one.id.toLowerCase(), one]));
}

function partsThatDiffer(before: unknown, after: unknown, part = ''): readonly PartDifference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (!isObject(before) || !isObject(after)) return [{ part, before, after }];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    partsThatDiffer(before[key], after[key], part === '' ? key : `${part}.${key}`),
  );
}
