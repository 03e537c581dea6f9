import { numberScale, placeScale } from '../axis/scale.ts';
import { cellLabel } from '../data/cell-label.ts';
import type { ChartPoint } from '../data/chart-point.ts';
import type { DotData } from '../data/dot-data.ts';
import type { NumberText } from '../data/number-text.ts';
import type { Area, Canvas } from './canvas.ts';
import { drawPlaces } from './lines.ts';
import { drawValueAxis, valueAxisWidth } from './panels.ts';
import { type ChartTheme, markerPath, markOf, SOFT } from './theme.ts';

const FOOT = 34;
const CELL = 10;
/** More dots are gathered in cells. */
export const MOST_DOTS = 2_000;

interface Places {
  toX(dot: ChartPoint): number;
  toY(dot: ChartPoint): number;
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
  const to: Places = {
    toX: ({ at }) => canvas.x(inner.left + x.of(at) * (inner.right - inner.left)),
    toY: ({ value }) => panel.bottom - scale.of(value.approximate) * (panel.bottom - panel.top),
  };
  if (data.dots.length > MOST_DOTS) drawCells(canvas, data.dots, to, theme, write);
  else drawEach(canvas, data, to, theme, write);
  drawPlaces(canvas, { ...area, ...inner }, x, places, data.axis, write, locale);
  canvas.text((left + area.right) / 2, area.bottom - 3, data.across, {
    anchor: 'middle',
    fill: SOFT,
    bold: true,
    width: area.right - left,
  });
}

function drawEach(canvas: Canvas, data: DotData, to: Places, theme: ChartTheme, write: NumberText): void {
  for (const dot of data.dots) {
    const mark = markOf(theme, dot.series);
    const name = [data.series[dot.series], cellLabel(dot.cell)].filter(Boolean).join(', ');
    const look = { fill: mark.marker === 'ring' ? 'none' : mark.stroke, 'fill-opacity': 0.55, stroke: mark.stroke };
    canvas.path(
      markerPath(mark.marker, to.toX(dot), to.toY(dot), 3.2),
      { ...look, 'stroke-width': 0.8 },
      `${name}: ${write.exact(dot.value)}`,
    );
  }
}

function drawCells(
  canvas: Canvas,
  dots: readonly ChartPoint[],
  { toX, toY }: Places,
  theme: ChartTheme,
  write: NumberText,
): void {
  const cells = new Map<number, { x: number; y: number; count: number }>();
  for (const dot of dots) {
    const [column, row] = [Math.floor(toX(dot) / CELL), Math.floor(toY(dot) / CELL)];
    const key = row * canvas.width + column;
    const cell = cells.get(key);
    if (cell === undefined) cells.set(key, { x: (column + 0.5) * CELL, y: (row + 0.5) * CELL, count: 1 });
    else cell.count += 1;
  }
  const most = [...cells.values()].reduce((max, { count }) => Math.max(max, count), 1);
  const { stroke } = markOf(theme, 0);
  for (const { x, y, count } of cells.values()) {
    // The area stands for the count; one row is still seen.
    const radius = Math.max(0.8, (CELL / 2) * Math.sqrt(count / most));
    canvas.path(markerPath('circle', x, y, radius), { fill: stroke }, write.count(count));
  }
}
