import { type ComparableResult, comparedCell } from '@askema/core';

/** What one column of a result holds. */
interface ResultColumnProfile {
  readonly name: string;
  /** NULL, and NaN. */
  readonly nulls: number;
  /** Numbers equal to 0, exact decimals as well; not `false`. */
  readonly zeros: number;
  /** Texts of no characters or only blanks. */
  readonly emptyTexts: number;
}

/** What can be said of a result without knowing the question. */
export interface ResultProfile {
  readonly rowCount: number;
  /** Rows that are in every cell the same as an earlier one: a join that multiplies rows leaves them. */
  readonly repeatedRows: number;
  readonly columns: readonly ResultColumnProfile[];
}

/**
 * Why a result is hardly an answer:
 * - `no-columns`, `no-rows`: there is nothing in it.
 * - `all-blank`: nothing but NULL, 0 and empty texts.
 * - `null-column`: a column is NULL in every row, others are not.
 * - `blank-column`: a column is only NULL, 0 and empty texts, others are not.
 * - `repeated-rows`: more than half of the rows repeat an earlier one.
 */
export type ImplausibleReason =
  | 'no-columns'
  | 'no-rows'
  | 'all-blank'
  | 'null-column'
  | 'blank-column'
  | 'repeated-rows';

/** Counts, column by column, what is not information. One pass over the cells. */
export function resultProfile(result: ComparableResult): ResultProfile {
  return {
    rowCount: result.rows.length,
    repeatedRows: countRepeated(result),
    columns: result.columns.map((column, position) => {
      let nulls = 0;
      let zeros = 0;
      let emptyTexts = 0;
      for (const row of result.rows) {
        const value = row[position] ?? null;
        if (value === null || (typeof value === 'number' && Number.isNaN(value))) nulls += 1;
        else if (typeof value === 'string' && value.trim() === '') emptyTexts += 1;
        else if (typeof value !== 'boolean') {
          const cell = comparedCell(value, column.type);
          if (cell.kind === 'number' && cell.approximate === 0) zeros += 1;
        }
      }
      return { name: column.name, nulls, zeros, emptyTexts };
    }),
  };
}

function countRepeated(result: ComparableResult): number {
  const seen = new Set<string>();
  for (const row of result.rows) {
    const cells = result.columns.map((column, position) => {
      const cell = comparedCell(row[position] ?? null, column.type);
      return cell.kind === 'number' ? `${cell.whole ?? cell.approximate}` : JSON.stringify(cell.key);
    });
    seen.add(cells.join(','));
  }
  return result.rows.length - seen.size;
}

/**
 * Every reason to doubt a result that its profile gives; none for most results. An honest 0 gives one, too: a doubt is
 * not a verdict.
 */
export function implausibleReasons({ rowCount, repeatedRows, columns }: ResultProfile): readonly ImplausibleReason[] {
  if (columns.length === 0) return ['no-columns'];
  if (rowCount === 0) return ['no-rows'];
  const reasons: ImplausibleReason[] = [];
  const blank = columns.filter(({ nulls, zeros, emptyTexts }) => nulls + zeros + emptyTexts === rowCount);
  if (blank.length === columns.length) reasons.push('all-blank');
  else {
    if (blank.some(({ nulls }) => nulls === rowCount)) reasons.push('null-column');
    if (blank.length > 0) reasons.push('blank-column');
  }
  if (repeatedRows * 2 > rowCount) reasons.push('repeated-rows');
  return reasons;
}
