/**
 * A table for a terminal, as lines: titles, a rule, rows. The first column stands to the left, and so do those of `words` (positions
 * from 0); the others are numbers. Groups of rows have a rule between them.
 */
export function textTable(
  titles: readonly string[],
  groups: readonly (readonly (readonly string[])[])[],
  words: readonly number[] = [],
): readonly string[] {
  const rows = [titles, ...groups.flat()];
  const widths = titles.map((_, column) => rows.reduce((most, cells) => Math.max(most, cells[column]?.length ?? 0), 0));
  const isLeft = (column: number): boolean => column === 0 || words.includes(column);
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (isLeft(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  const rule = '-'.repeat(widths.reduce((total, width) => total + width, 0) + 2 * (titles.length - 1));
  return [line(titles), ...groups.flatMap((group) => [rule, ...group.map(line)])];
}
