export {
  type ComparableResult,
  type ComparedCell,
  comparedCell,
  DEFAULT_TOLERANCE,
  type NumericTolerance,
} from './cell-equality.ts';
export type { ColumnOrder } from './column-permutation.ts';
export * from './compare-results.ts';
export {
  OFFICIAL_VOTE_TOLERANCE,
  type OfficialTable,
  officialTable,
  officialTablesAgree,
} from './official-equality.ts';
export * from './relate-results.ts';
export * from './result-profile.ts';
export * from './result-signature.ts';
export * from './results-agree.ts';
