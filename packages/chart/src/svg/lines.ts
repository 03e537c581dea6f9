import { numberScale, placeScale, type Scale } from '../axis/scale.ts';
import { cellLabel } from '../data/cell-label.ts';
import type { ChartPoint } from '../data/chart-point.ts';
import { allPoints, coveredPoints, type Line, type LineData, valuesOfPanels } from '../data/line-data.ts';
import type { NumberText } from '../data/number-text.ts';
import { type Area, type Canvas, LABEL_SIZE } from './canvas.ts';
import { rounded } from './element.ts';
import { drawValueAxis, valueAxisWidth } from './panels.ts';
import { textWidth } from './text-width.ts';
import { type ChartTheme, GROUND, type Mark, markerPath, markOf, SOFT } from './theme.ts';
import { thinned } from './thinned.ts';
import { timeTicks, timeTickText } from './time-ticks.ts';

const FOOT = 34;
/** More points are a line without markers. */
const MOST_MARKERS = 60;
/** What stands alone among so many is no larger than the line is wide. */
const LONE = 1.3;
const RADIUS = 3;
/** How much a mark is larger than the one that lies on it. */
const RIM = 2.5;

/** Lines over time or ordered numbers, a panel for each measure above the others, all over the same places. */
export function drawLines(
  canvas: Canvas,
  area: Area,
  data: LineData,
  across: string,
  theme: ChartTheme,
  write: NumberText,
  locale: string,
): void {
  const high = (area.bottom - area.top - FOOT) / data.panels.length;
  const places = allPoints(data.panels.flatMap(({ lines }) => lines)).map(({ at }) => at);
  const scales = valuesOfPanels(data).map((values) => numberScale(values, false, Math.max(2, Math.floor(high / 45))));
  const left = area.left + Math.max(...scales.map((scale) => valueAxisWidth(scale, write)));
  const wanted = Math.max(2, Math.floor((area.right - left) / 90));
  const x = placeScale(places, data.axis.kind, wanted);
  const inner = { left: left + 8, right: area.right - 12 };
  const toX = (at: number): number => canvas.x(inner.left + x.of(at) * (inner.right - inner.left));
  for (const [at, { measure, lines }] of data.panels.entries()) {
    const scale = scales[at];
    if (scale === undefined) continue;
    const panel = { left, right: area.right, top: area.top + at * high + 22, bottom: area.top + (at + 1) * high - 6 };
    drawValueAxis(canvas, panel, scale, measure, write);
    const toY = (value: number): number => panel.bottom - scale.of(value) * (panel.bottom - panel.top);
    const covered = coveredPoints(lines);
    for (const [series, line] of lines.entries())
      drawLine(canvas, line, markOf(theme, series), covered, toX, toY, write);
  }
  drawPlaces(canvas, { ...area, ...inner }, x, places, data.axis, write, locale);
  canvas.text((left + area.right) / 2, area.bottom - 3, across, {
    anchor: 'middle',
    fill: SOFT,
    bold: true,
    width: area.right - left,
  });
}

function drawLine(
  canvas: Canvas,
  line: Line,
  mark: Mark,
  covered: ReadonlyMap<ChartPoint, number>,
  toX: (at: number) => number,
  toY: (value: number) => number,
  write: NumberText,
): void {
  const isSparse = line.pieces.reduce((sum, { length }) => sum + length, 0) <= MOST_MARKERS;
  for (const piece of line.pieces) {
    const points = thinned(
      piece,
      ({ at }) => toX(at),
      ({ value }) => toY(value.approximate),
    );
    const data = points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${rounded(x)} ${rounded(y)}`).join('');
    if (points.length > 1)
      canvas.path(data, {
        ...{ fill: 'none', stroke: mark.stroke, 'stroke-width': 2, 'stroke-dasharray': mark.dash },
        'stroke-linejoin': 'round',
      });
    // A point by itself would not be seen in a line.
    for (const point of isSparse || piece.length === 1 ? piece.slice(0, MOST_MARKERS) : []) {
      const { at, cell, value } = point;
      const name = [cellLabel(cell), line.name].filter(Boolean).join(', ');
      // What lies under another is seen around it.
      const above = covered.get(point) ?? 0;
      const outline = markerPath(mark.marker, toX(at), toY(value.approximate), isSparse ? RADIUS + above * RIM : LONE);
      const fill = mark.marker === 'ring' || above > 0 ? GROUND : mark.stroke;
      canvas.path(
        outline,
        { fill, stroke: mark.stroke, 'stroke-width': above > 0 ? 1.5 : undefined },
        `${name}: ${write.exact(value)}`,
      );
    }
  }
}

/** The marks along the ground. Those that would touch the one before are left out. */
export function drawPlaces(
  canvas: Canvas,
  area: Area,
  scale: Scale,
  places: readonly number[],
  axis: LineData['axis'],
  write: NumberText,
  locale: string,
): void {
  const wanted = Math.max(2, Math.floor((area.right - area.left) / 75));
  const ticks = axis.kind === 'time' ? timeTicks(places, axis.grain, wanted) : scale.ticks;
  const text = axis.kind === 'time' ? timeTickText(ticks, locale, axis.grain) : write.place;
  let end = Number.NEGATIVE_INFINITY;
  for (const tick of ticks) {
    const x = area.left + scale.of(tick) * (area.right - area.left);
    const half = textWidth(text(tick), LABEL_SIZE - 1) / 2;
    canvas.line(x, area.bottom - FOOT - 6, x, area.bottom - FOOT - 2, { stroke: SOFT });
    // The labels at both ends stay inside of the picture.
    const middle = Math.min(Math.max(x, half + 2), canvas.width - half - 2);
    if (middle - half < end + 6) continue;
    canvas.text(middle, area.bottom - FOOT + 10, text(tick), { anchor: 'middle', size: LABEL_SIZE - 1, fill: SOFT });
    end = middle + half;
  }
}
