import type { Cells } from './cell-database.ts';

const many = (word: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${word} ${at}`);

/** For the test of a killed build: three attributes, read in this order. */
export const KILLED_CELLS: Cells = {
  a_first: { name: many('first', 10) },
  b_middle: { name: many('middle', 1_000) },
  c_last: { name: many('last', 1_500) },
};
