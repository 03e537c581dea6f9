import { type ComparableResult, DEFAULT_TOLERANCE } from './cell-equality.ts';
import { compareResults } from './compare-results.ts';
import { OFFICIAL_VOTE_TOLERANCE, officialTable, officialTablesAgree } from './official-equality.ts';
import { resultSignature } from './result-signature.ts';

/**
 * What it means that two results agree:
 * - `strict`: the same multiset of rows, columns in any order, the association within a row kept
 *   ({@link compareResults}).
 * - `official`: as the evaluator of Spider 2.0 compares them, which loses that association
 *   ({@link officialTablesAgree}).
 */
export type AgreementKey = 'strict' | 'official';

/** How two results are held against each other. */
export interface AgreementOptions {
  /** Default: `strict`. */
  readonly key?: AgreementKey | undefined;
  /**
   * How far two numbers may lie apart. Default: {@link DEFAULT_TOLERANCE} under `strict`,
   * {@link OFFICIAL_VOTE_TOLERANCE} under `official`. Under `strict`, two whole numbers are always compared exactly.
   */
  readonly tolerance?: number | undefined;
  /** `keep`: the order of the rows counts; only under `strict`. Default: `ignore`. */
  readonly rowOrder?: 'ignore' | 'keep' | undefined;
}

/**
 * Whether two whole results agree. Symmetric and reflexive. Not transitive where a tolerance chains: who makes classes
 * of it compares with one fixed member of each class.
 */
export function resultsAgree(a: ComparableResult, b: ComparableResult, options: AgreementOptions = {}): boolean {
  if (a.columns.length !== b.columns.length || a.rows.length !== b.rows.length) return false;
  if (options.key === 'official') {
    return officialTablesAgree(officialTable(a), officialTable(b), options.tolerance ?? OFFICIAL_VOTE_TOLERANCE);
  }
  if (resultSignature(a) !== resultSignature(b)) return false;
  return compareResults(a, b, {
    absoluteTolerance: options.tolerance ?? DEFAULT_TOLERANCE.absoluteTolerance,
    orderMatters: options.rowOrder === 'keep',
  }).match;
}
