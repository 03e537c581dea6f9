import type { AskemaError } from '../../errors/askema-error.ts';

/**
 * Vectors as a server gave them, all of the length that was asked for, or of one. Throws what `invalid` makes of what is
 * wrong: one is no list of numbers of 32 bits, or has another length.
 */
export function readVectors(
  given: readonly unknown[],
  dimensions: number | undefined,
  invalid: (what: string) => AskemaError,
): readonly Float32Array[] {
  const vectors = given.map((vector) => {
    if (!Array.isArray(vector) || vector.length === 0) throw invalid('a vector that is no list of numbers');
    if (!vector.every(isFloat)) throw invalid('a vector with something that is no number of 32 bits');
    return Float32Array.from(vector);
  });
  const length = dimensions ?? vectors[0]?.length;
  const other = vectors.find((vector) => vector.length !== length);
  if (other === undefined) return vectors;
  const why = dimensions === undefined ? 'due' : 'asked';
  throw invalid(`a vector of length ${other.length} where ${length} was ${why}`);
}

function isFloat(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(Math.fround(value));
}
