import type { Schema } from '@askema/core';

export interface Mutant {
  readonly mistake: string;
  readonly says: string;
  readonly schema: Schema;
}

export function mutantsOf(_schema: Schema): readonly Mutant[] {
  return [];
}
