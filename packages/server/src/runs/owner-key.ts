import { createHash } from 'node:crypto';
import type { Caller } from '../contract.ts';

const LENGTH = 24;

/** What {@link ownerKey} gives, as a regular expression. */
export const OWNER_KEY = `[0-9a-f]{${LENGTH}}`;

/**
 * Whose an id is: it is known to the same person of the same tenant, as long as they see the same of a database. For
 * anybody else there is nothing under it.
 */
export function ownerKey({ tenant, subject, role, hide = [], mask = [] }: Caller): string {
  const seen = [hide, mask].map((patterns) => [...new Set(patterns)].sort());
  return digestOf(JSON.stringify([tenant ?? null, subject, role ?? null, ...seen])).slice(0, LENGTH);
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
