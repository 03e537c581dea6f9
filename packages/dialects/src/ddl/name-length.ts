import type { Dialect } from '@askema/core';

/** How long a name is in the unit of `maxLength`. */
export function nameLength(name: string, { identifiers }: Pick<Dialect, 'identifiers'>): number {
  return identifiers.lengthUnit === 'bytes' ? new TextEncoder().encode(name).length : [...name].length;
}
