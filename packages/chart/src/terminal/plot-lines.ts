import { numberScale, placeScale } from '../axis/scale.ts';
import type { NumberText } from '../data/number-text.ts';
import { columnsOf, widestOf } from './line-width.ts';
import type { Pen } from './pen.ts';

/** A point of a plot; those of a piece are joined. */
interface PlotPoint {
  readonly at: number;
  readonly label: string;
  readonly value: number;
}

export interface Plot {
  readonly measure: string;
  readonly kind: 'time' | 'number';
  /** By series, in pieces; dots are pieces of one. */
  readonly series: readonly (readonly (readonly PlotPoint[])[])[];
  /** Whether marks say how many points they stand for. */
  readonly isGathered: boolean;
}

const ROWS = 12;

/** A plot as lines of text: the axis of numbers to the left, the first and the last place below. */
export function plotLines(plot: Plot, width: number, pen: Pen, write: NumberText): readonly string[] {
  const all = plot.series.flat(2);
  const scale = numberScale(
    all.map(({ value }) => value),
    false,
    4,
  );
  const ticks = scale.ticks.map((tick) => ({ row: rowOf(scale.of(tick)), text: write.tick(tick, scale.step) }));
  const left = widestOf(
    ticks.map(({ text }) => text),
    16,
  );
  const room = Math.max(8, width - left - 2);
  const places = placeScale(
    all.map(({ at }) => at),
    plot.kind,
    2,
  );
  const columnOf = (at: number): number => Math.round(places.of(at) * (room - 1));
  const grid = Array.from({ length: ROWS }, () => Array.from<string>({ length: room }).fill(' '));
  const counts = new Map<string, number>();
  for (const [series, pieces] of plot.series.entries())
    for (const piece of pieces)
      for (const [at, point] of piece.entries()) {
        const [row, column] = [rowOf(scale.of(point.value)), columnOf(point.at)];
        joinTo(grid, piece[at - 1], point, columnOf, (value) => rowOf(scale.of(value)), pen, series);
        const key = `${row},${column}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
        put(grid, row, column, pen.paint(pen.mark(series), series));
      }
  if (plot.isGathered) showCounts(grid, counts, pen);
  const lines = grid.map((cells, row) => {
    const tick = ticks.find((each) => each.row === row)?.text ?? '';
    return `${columnsOf(tick, left, 'right', pen.cut)} ${pen.axis}${cells.join('').trimEnd()}`;
  });
  const sorted = all.reduce<{ first?: PlotPoint; last?: PlotPoint }>(
    ({ first = undefined, last = undefined }, point) => ({
      first: first === undefined || point.at < first.at ? point : first,
      last: last === undefined || point.at > last.at ? point : last,
    }),
    {},
  );
  const [from, to] = [sorted.first?.label ?? '', sorted.last?.label ?? ''];
  const half = Math.floor(room / 2);
  const end = from === to ? '' : columnsOf(to, room - half, 'right', pen.cut);
  return [
    `${' '.repeat(left + 1)}${columnsOf(plot.measure, widestOf([plot.measure], room), 'left', pen.cut)}`,
    ...lines,
    `${' '.repeat(left + 1)}${pen.corner}${pen.ground.repeat(room)}`,
    `${' '.repeat(left + 2)}${columnsOf(from, half, 'left', pen.cut)}${end}`.trimEnd(),
  ];
}

const rowOf = (share: number): number => Math.min(ROWS - 1, Math.max(0, Math.round((1 - share) * (ROWS - 1))));

function put(grid: string[][], row: number, column: number, text: string): void {
  const cells = grid[row];
  if (cells !== undefined && column >= 0 && column < cells.length) cells[column] = text;
}

/** Where two points of a piece are columns apart, the columns between them are filled. */
function joinTo(
  grid: string[][],
  before: PlotPoint | undefined,
  point: PlotPoint,
  columnOf: (at: number) => number,
  toRow: (value: number) => number,
  pen: Pen,
  series: number,
): void {
  if (before === undefined) return;
  const [from, to] = [columnOf(before.at), columnOf(point.at)];
  for (let column = from + 1; column < to; column += 1) {
    const share = (column - from) / (to - from);
    const row = toRow(before.value * (1 - share) + point.value * share);
    if (grid[row]?.[column] === ' ') put(grid, row, column, pen.paint(pen.density(0), series));
  }
}

function showCounts(grid: string[][], counts: ReadonlyMap<string, number>, pen: Pen): void {
  const most = [...counts.values()].reduce((max, count) => Math.max(max, count), 1);
  for (const [key, count] of counts) {
    const [row = 0, column = 0] = key.split(',').map(Number);
    put(grid, row, column, pen.paint(pen.density(Math.sqrt(count / most)), 0));
  }
}
