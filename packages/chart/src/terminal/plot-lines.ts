import { numberScale, placeScale } from '../axis/scale.ts';
import { cellLabel } from '../data/cell-label.ts';
import { type ChartPoint, pointsOf } from '../data/chart-point.ts';
import type { NumberText } from '../data/number-text.ts';
import { MOST_SERIES } from '../spec/chart-spec.ts';
import { columnsOf, widestOf, wrapped } from './line-width.ts';
import type { Pen } from './pen.ts';

export interface Plot {
  readonly measure: string;
  /** What its axis has to hold. */
  readonly values: readonly number[];
  readonly kind: 'time' | 'number';
  /** Each in the order in which its points are joined. */
  readonly pieces: readonly (readonly ChartPoint[])[];
  /** Dots are not. */
  readonly isJoined: boolean;
  /** Whether marks say how many points they stand for. */
  readonly isGathered: boolean;
}

const ROWS = 12;

/**
 * A plot as lines of text: the axis of numbers to the left, the first and the last place below. Where marks of several
 * series meet, a digit says how many.
 */
export function plotLines(plot: Plot, width: number, pen: Pen, write: NumberText): readonly string[] {
  const all = pointsOf(plot.pieces);
  const scale = numberScale(plot.values, false, 4);
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
  const columnOf = ({ at }: ChartPoint): number => Math.round(places.of(at) * (room - 1));
  const grid = Array.from({ length: ROWS }, () => Array.from<string>({ length: room }).fill(' '));
  const counts = grid.map(() => new Uint32Array(room));
  // A bit for each series.
  const met = grid.map(() => new Uint8Array(room));
  const marks = Array.from({ length: MOST_SERIES }, (_, series) => pen.paint(pen.mark(series), series));
  const toRow = (value: number): number => rowOf(scale.of(value));
  for (const piece of plot.pieces)
    for (const [at, point] of piece.entries()) {
      const [row, column] = [toRow(point.value.approximate), columnOf(point)];
      if (plot.isJoined) joinTo(grid, piece[at - 1], point, columnOf, toRow, pen);
      const own = counts[row];
      if (own !== undefined) own[column] = (own[column] ?? 0) + 1;
      const there = met[row];
      if (there !== undefined) there[column] = (there[column] ?? 0) | (1 << point.series);
      put(grid, row, column, marks[point.series] ?? '');
    }
  const meetings = plot.isGathered ? 0 : showMeetings(grid, met);
  if (plot.isGathered) showCounts(grid, counts, pen);
  const lines = grid.map((cells, row) => {
    const tick = ticks.find((each) => each.row === row)?.text ?? '';
    return `${columnsOf(tick, left, 'right', pen.cut)} ${pen.axis}${cells.join('').trimEnd()}`;
  });
  let [first, last] = [all[0], all[0]];
  for (const point of all) {
    if (first !== undefined && point.at < first.at) first = point;
    if (last !== undefined && point.at > last.at) last = point;
  }
  const [from = '', to = ''] = [first, last].map((point) => point && cellLabel(point.cell));
  const half = Math.floor(room / 2);
  const end = from === to ? '' : columnsOf(to, room - half, 'right', pen.cut);
  return [
    `${' '.repeat(left + 1)}${columnsOf(plot.measure, widestOf([plot.measure], room), 'left', pen.cut)}`,
    ...lines,
    `${' '.repeat(left + 1)}${pen.corner}${pen.ground.repeat(room)}`,
    `${' '.repeat(left + 2)}${columnsOf(from, half, 'left', pen.cut)}${end}`.trimEnd(),
    ...(meetings === 0 ? [] : wrapped('A digit is a place where so many series meet.', width)),
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
  before: ChartPoint | undefined,
  point: ChartPoint,
  columnOf: (point: ChartPoint) => number,
  toRow: (value: number) => number,
  pen: Pen,
): void {
  if (before === undefined) return;
  const [from, to] = [columnOf(before), columnOf(point)];
  for (let column = from + 1; column < to; column += 1) {
    const share = (column - from) / (to - from);
    const row = toRow(before.value.approximate * (1 - share) + point.value.approximate * share);
    if (grid[row]?.[column] === ' ') put(grid, row, column, pen.paint(pen.density(0), point.series));
  }
}

/** A digit where several series have a mark; how many there are. */
function showMeetings(grid: string[][], met: readonly Uint8Array[]): number {
  let meetings = 0;
  for (const [row, own] of met.entries())
    for (const [column, bits] of own.entries()) {
      const count = bits.toString(2).replaceAll('0', '').length;
      if (count < 2) continue;
      put(grid, row, column, String(count));
      meetings += 1;
    }
  return meetings;
}

function showCounts(grid: string[][], counts: readonly Uint32Array[], pen: Pen): void {
  const most = Math.max(1, ...counts.map((row) => Math.max(...row)));
  for (const [row, own] of counts.entries())
    for (const [column, count] of own.entries())
      if (count > 0) put(grid, row, column, pen.paint(pen.density(Math.sqrt(count / most)), 0));
}
