import { type ComparableResult, comparedCell } from '@askema/core';

/**
 * A cell as a text that is the same for cells that Python finds equal: `1`, `1.0` and `true` are, a text and a number
 * are not, and fractions only with all their digits. Unequal cells have unequal texts.
 */
export function cellKeys({ columns, rows }: ComparableResult): readonly (readonly string[])[] {
  return rows.map((row) =>
    columns.map(({ type }, position) => {
      const cell = comparedCell(row[position] ?? null, type);
      return cell.kind === 'other' ? cell.key : `number:${cell.whole ?? cell.approximate}`;
    }),
  );
}

/** A row of such cells as one text. */
export function rowKey(cells: readonly string[]): string {
  return cells.map((cell) => `${cell.length}:${cell}`).join('');
}
