import type { Scale } from '../axis/scale.ts';
import type { BarData } from '../data/bar-data.ts';
import type { NumberText } from '../data/number-text.ts';
import type { ChartSpec } from '../spec/chart-spec.ts';
import { barsOf, type DrawnBar, lanesOf, scalesOfBars } from './bars.ts';
import { type Area, type Canvas, LABEL_SIZE } from './canvas.ts';
import { BOLD, fitLabels, fitText, textWidth } from './text-width.ts';
import { type ChartTheme, GRID, INK, markOf, SOFT } from './theme.ts';

/** The least height of a bar, and what is between the bars of two names. */
export const LEAST_LANE = 9;
export const LANE = 16;
export const SLOT_GAP = 7;
/** Above the bars the name of the measure, below them the axis. */
export const HEAD = 22;
export const FOOT = 22;
/** What labels take at most, with one panel and with several. */
const [LABEL_SHARE, LABEL_SHARE_OF_SEVERAL] = [0.45, 0.34];

interface Panel {
  readonly left: number;
  readonly width: number;
  readonly scale: Scale;
}

/** Bars from left to right, a line for each name, a panel for each measure with an axis of its own. */
export function drawHorizontalBars(
  canvas: Canvas,
  area: Area,
  data: BarData,
  spec: ChartSpec,
  names: string,
  theme: ChartTheme,
  write: NumberText,
): void {
  const { slots, measures } = data;
  const texts = [names, ...slots.map(({ label }) => label)];
  const widest = Math.max(0, ...texts.map((text, at) => textWidth(text, LABEL_SIZE * (at === 0 ? BOLD : 1))));
  const share = measures.length > 1 ? LABEL_SHARE_OF_SEVERAL : LABEL_SHARE;
  const labels = Math.min(widest, (area.right - area.left) * share);
  const start = area.left + labels + (labels === 0 ? 0 : 8);
  const room = (area.right - start) / measures.length;
  const [top, bottom] = [area.top + HEAD, area.bottom - FOOT];
  const band = (bottom - top) / Math.max(1, slots.length);
  const lanes = lanesOf(data, spec.layout);
  const lane = Math.min(LANE * 1.6, (band - SLOT_GAP) / lanes);
  const inset = (band - lane * lanes) / 2;
  const scales = scalesOfBars(data, spec.layout, Math.max(2, Math.floor(room / 90)));
  const heads = fitLabels(measures, LABEL_SIZE * BOLD, room - 12);
  for (const [measure, name] of measures.entries()) {
    const scale = scales[measure];
    if (scale === undefined) continue;
    const reserved = reservedFor(data, measure, spec.layout, write);
    const panel = { left: start + measure * room, width: Math.max(20, room - reserved - 12), scale };
    drawGrid(canvas, panel, top, bottom, write);
    canvas.text(panel.left, area.top + 12, name, { fill: SOFT, bold: true, shown: heads[measure] });
    for (const [at, slot] of slots.entries()) {
      const y = top + at * band + inset;
      for (const bar of barsOf(slot, data, measure, spec.layout, scale, write))
        drawBar(canvas, panel, bar, y + bar.lane * lane, lane, theme, spec.layout === 'stacked' ? undefined : write);
    }
  }
  const head = { fill: SOFT, bold: true, shown: fitText(names, LABEL_SIZE * BOLD, labels + 1) };
  if (names !== '') canvas.text(start - 8, area.top + 12, names, { anchor: 'end', ...head });
  const shown = fitLabels(texts.slice(1), LABEL_SIZE, labels + 1);
  for (const [at, { label }] of slots.entries())
    canvas.text(start - 8, top + (at + 0.5) * band + 4, label, { anchor: 'end', shown: shown[at] });
}

/** What the numbers behind the bars need. */
function reservedFor(data: BarData, measure: number, layout: ChartSpec['layout'], write: NumberText): number {
  if (layout === 'stacked') return 14;
  const texts = data.slots.flatMap(({ values }) => (values[measure] ?? []).map((value) => labelOf(value, write)));
  return Math.min(90, Math.max(14, ...texts.map((text) => textWidth(text, LABEL_SIZE - 1))));
}

function labelOf(value: DrawnBar['value'] | undefined, write: NumberText): string {
  return value === undefined ? '' : typeof value === 'string' ? value : write.short(value);
}

function drawGrid(canvas: Canvas, { left, width, scale }: Panel, top: number, bottom: number, write: NumberText): void {
  let end = Number.NEGATIVE_INFINITY;
  for (const tick of scale.ticks) {
    const x = left + scale.of(tick) * width;
    canvas.line(x, top, x, bottom, { stroke: tick === 0 ? SOFT : GRID });
    const text = write.tick(tick, scale.step);
    const half = textWidth(text, LABEL_SIZE - 1) / 2;
    const middle = Math.min(Math.max(x, half + 2), canvas.width - half - 2);
    if (middle - half < end + 4) continue;
    canvas.text(middle, bottom + 14, text, { anchor: 'middle', size: LABEL_SIZE - 1, fill: SOFT });
    end = middle + half;
  }
}

function drawBar(
  canvas: Canvas,
  { left, width }: Panel,
  bar: DrawnBar,
  y: number,
  lane: number,
  theme: ChartTheme,
  write: NumberText | undefined,
): void {
  const [from, to] = [left + Math.min(bar.from, bar.to) * width, left + Math.max(bar.from, bar.to) * width];
  const mark = markOf(theme, bar.series);
  if (typeof bar.value === 'object')
    canvas.rect(from, y + 0.5, to - from, Math.max(1, lane - 1), barLook(mark.fill, theme), bar.title);
  if (write === undefined) return;
  // Behind the end of the bar, also of one that goes the other way, where it stands clear of the labels of names.
  const text = labelOf(bar.value, write);
  canvas.text(to + 4, y + lane / 2 + 3.5, text, {
    size: LABEL_SIZE - 1,
    fill: typeof bar.value === 'string' ? SOFT : INK,
  });
}

/** In monochrome the outline tells where a pattern ends. */
export function barLook(fill: string, theme: ChartTheme): Readonly<Record<string, string | number | undefined>> {
  return { fill, stroke: theme === 'color' ? undefined : INK, 'stroke-width': theme === 'color' ? undefined : 0.75 };
}
