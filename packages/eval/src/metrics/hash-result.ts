import { createHash } from 'node:crypto';
import { type ComparableResult, resultSignature } from '@askema/core';

/** SHA-256, in hexadecimal, of what a result holds, with rows and columns in any order. */
export function hashResult(result: ComparableResult): string {
  return createHash('sha256').update(resultSignature(result)).digest('hex');
}
