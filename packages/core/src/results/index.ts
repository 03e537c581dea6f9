export {
  type ComparableResult,
  type ComparedCell,
  comparedCell,
  DEFAULT_TOLERANCE,
  type NumericTolerance,
} from './cell-equality.ts';
export type { ColumnOrder } from './column-permutation.ts';
export * from './compare-results.ts';
