import type { DataType } from '../schema/schema.ts';
import type { Dialect } from './dialect.ts';

/** The name of a type in CAST: `CAST(x AS …)`. `FLOAT` is a number of any kind. */
export function castType(type: DataType | 'FLOAT', { types }: Pick<Dialect, 'types'>): string {
  const logical = type === 'FLOAT' ? 'NUMERIC' : type;
  return types.cast?.[type] ?? types.cast?.[logical] ?? types.native[logical];
}
