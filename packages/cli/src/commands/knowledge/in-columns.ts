import { displayWidth, padToWidth } from '../../terminal/display-width.ts';

/** Rows of cells as lines, each column as wide as its widest cell. */
export function inColumns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => displayWidth(row[at] ?? ''))));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, at) => padToWidth(cell, widths[at] ?? 0, 'left'))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
