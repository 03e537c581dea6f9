import { numberScale, placeScale } from '../axis/scale.ts';
import type { Dot, DotData } from '../data/dot-data.ts';
import type { NumberText } from '../data/number-text.ts';
import type { Area, Canvas } from './canvas.ts';
import { drawPlaces } from './lines.ts';
import { drawValueAxis, valueAxisWidth } from './panels.ts';
import { type ChartTheme, markerPath, markOf, SOFT } from './theme.ts';

const FOOT = 34;
const CELL = 10;
/** More dots are gathered in cells. */
export const MOST_DOTS = 2_000;

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly dot: Dot;
}

/** A dot for each row; of very many, a dot for each cell of the picture, the larger the more rows it stands for. */
export function drawDots(
  canvas: Canvas,
  area: Area,
  data: DotData,
  theme: ChartTheme,
  write: NumberText,
  locale: string,
): void {
  const values = data.dots.map(({ value }) => value.approximate);
  const scale = numberScale(values, false, Math.max(2, Math.floor((area.bottom - area.top) / 45)));
  const left = area.left + valueAxisWidth(scale, write);
  const places = data.dots.map(({ at }) => at);
  const x = placeScale(places, data.axis.kind, Math.max(2, Math.floor((area.right - left) / 90)));
  const panel = { left, right: area.right, top: area.top + 22, bottom: area.bottom - FOOT - 6 };
  drawValueAxis(canvas, panel, scale, data.measure, write);
  const inner = { left: left + 8, right: area.right - 12 };
  const placed = data.dots.map((dot) => ({
    x: canvas.x(inner.left + x.of(dot.at) * (inner.right - inner.left)),
    y: panel.bottom - scale.of(dot.value.approximate) * (panel.bottom - panel.top),
    dot,
  }));
  if (placed.length > MOST_DOTS) drawCells(canvas, placed, theme, write);
  else drawEach(canvas, placed, data, theme, write);
  drawPlaces(canvas, { ...area, ...inner }, x, places, data.axis, write, locale);
  canvas.text((left + area.right) / 2, area.bottom - 3, data.across, {
    anchor: 'middle',
    fill: SOFT,
    bold: true,
    width: area.right - left,
  });
}

function drawEach(
  canvas: Canvas,
  placed: readonly Placed[],
  data: DotData,
  theme: ChartTheme,
  write: NumberText,
): void {
  for (const { x, y, dot } of placed) {
    const mark = markOf(theme, dot.series);
    const name = [data.series[dot.series], dot.label].filter(Boolean).join(', ');
    const look = { fill: mark.marker === 'ring' ? 'none' : mark.stroke, 'fill-opacity': 0.55, stroke: mark.stroke };
    canvas.path(
      markerPath(mark.marker, x, y, 3.2),
      { ...look, 'stroke-width': 0.8 },
      `${name}: ${write.exact(dot.value)}`,
    );
  }
}

function drawCells(canvas: Canvas, placed: readonly Placed[], theme: ChartTheme, write: NumberText): void {
  const cells = new Map<string, { x: number; y: number; count: number }>();
  for (const { x, y } of placed) {
    const [column, row] = [Math.floor(x / CELL), Math.floor(y / CELL)];
    const key = `${column},${row}`;
    const cell = cells.get(key) ?? { x: (column + 0.5) * CELL, y: (row + 0.5) * CELL, count: 0 };
    cell.count += 1;
    cells.set(key, cell);
  }
  const most = [...cells.values()].reduce((max, { count }) => Math.max(max, count), 1);
  const { stroke } = markOf(theme, 0);
  for (const { x, y, count } of cells.values()) {
    // The area stands for the count; one row is still seen.
    const radius = Math.max(0.8, (CELL / 2) * Math.sqrt(count / most));
    canvas.path(markerPath('circle', x, y, radius), { fill: stroke }, write.count(count));
  }
}
