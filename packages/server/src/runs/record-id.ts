import { randomBytes } from 'node:crypto';

const TIME_LENGTH = 9;

/** The id of a record, as a regular expression: when it was begun, in base 36, and what nobody can guess. */
export const RECORD_ID = `[a-z0-9]{${TIME_LENGTH}}-[A-Za-z0-9_-]{16}`;

/** A new id, for milliseconds since the epoch. Later ones sort behind earlier ones. */
export function newRecordId(at: number): string {
  return `${at.toString(36).padStart(TIME_LENGTH, '0')}-${randomBytes(12).toString('base64url')}`;
}

/** Milliseconds since the epoch. */
export function begunAt(id: string): number {
  return Number.parseInt(id.slice(0, TIME_LENGTH), 36);
}
