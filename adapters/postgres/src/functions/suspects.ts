import type { NameParts } from '@askema/core';

/** Something that a statement can name and that leads to a function which is not known to only read. */
export interface Suspect {
  readonly schema: string;
  readonly name: string;
  /** `(row).name` calls it, too. */
  readonly isField: boolean;
  /** What it leads to and on which way, and what can be done. */
  readonly reason: string;
}

/** By the names as {@link nameKey} makes them. */
type SuspectsByName = ReadonlyMap<string, readonly Suspect[]>;

export interface Suspects {
  readonly functions: SuspectsByName;
  /** Relations and types. */
  readonly others: SuspectsByName;
  readonly operators: readonly Suspect[];
  /** What any statement may use, without a name of it: casts and orders of the engine's own types. */
  readonly everywhere: readonly Suspect[];
}

/** NAMEDATALEN - 1: the server cuts longer names off. */
const MAX_BYTES = 63;

/**
 * The form under which two names are compared: cut off as the server does, and without case beyond ASCII, which some
 * servers fold in names without quotes.
 */
export function nameKey(name: string): string {
  const bytes = Buffer.from(name);
  const kept =
    bytes.length > MAX_BYTES
      ? bytes
          .subarray(0, MAX_BYTES)
          .toString()
          .replace(/\ufffd+$/, '')
      : name;
  return /^[\x20-\x7e]*$/.test(kept) ? kept : kept.toLowerCase();
}

/** Whether reading a relation may call a function that is not known to only read. */
export function isSuspect({ others }: Suspects, { schema, relation }: NameParts): boolean {
  return others.get(nameKey(relation))?.some((one) => one.schema === schema) === true;
}
