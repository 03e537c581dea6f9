import type { BarData } from '../data/bar-data.ts';
import type { NumberText } from '../data/number-text.ts';
import type { ChartSpec } from '../spec/chart-spec.ts';
import { barsOf, type DrawnBar, lanesOf, scalesOfBars } from './bars.ts';
import { type Area, type Canvas, LABEL_SIZE } from './canvas.ts';
import { barLook } from './horizontal-bars.ts';
import { drawValueAxis, valueAxisWidth } from './panels.ts';
import { fitLabels, textWidth } from './text-width.ts';
import { type ChartTheme, INK, markOf, SOFT } from './theme.ts';

/** The least width of a bar that a person can point at. */
export const LEAST_BAR = 3;
const TURN = -40;
/** The sine of it: what of the length of a turned text is its height. */
const TURNED_SHARE = 0.65;
const TURNED_HEIGHT = 64;
/** Below the labels, the name of x. */
const NAME = 16;
/** Above the bars their numbers, and above these the name of the measure. */
const HEAD = 28;

/** Bars from the ground up, in the order of x, a panel for each measure above the others. */
export function drawVerticalBars(
  canvas: Canvas,
  area: Area,
  data: BarData,
  spec: ChartSpec,
  across: string,
  theme: ChartTheme,
  write: NumberText,
): void {
  const { slots, measures } = data;
  const count = Math.max(1, slots.length);
  const widest = Math.max(0, ...slots.map(({ label }) => textWidth(label, LABEL_SIZE)));
  const estimated = (area.right - area.left - 60) / count;
  const turned = widest + 6 > estimated;
  const foot = turned ? Math.min(TURNED_HEIGHT, widest * TURNED_SHARE + 16) : 20;
  const high = (area.bottom - area.top - foot - NAME) / measures.length;
  const scales = scalesOfBars(data, spec.layout, Math.max(2, Math.floor(high / 45)));
  const axis = area.left + Math.max(...scales.map((scale) => valueAxisWidth(scale, write)));
  // The first turned label begins on the left of its bar.
  const first = turned ? textWidth(slots[0]?.label ?? '', LABEL_SIZE) * 0.77 - estimated / 2 : 0;
  const left = Math.max(axis, area.left + Math.min(first, (foot - 10) / TURNED_SHARE));
  const band = (area.right - left) / count;
  const lanes = lanesOf(data, spec.layout);
  const lane = Math.min(48, (band * 0.8) / lanes);
  const inset = (band - lane * lanes) / 2;
  const room = spec.layout === 'stacked' ? undefined : lane + band - lane * lanes - 2;
  for (const [measure, name] of measures.entries()) {
    const scale = scales[measure];
    if (scale === undefined) continue;
    const panel = {
      left,
      right: area.right,
      top: area.top + measure * high + HEAD,
      bottom: area.top + (measure + 1) * high - 6,
    };
    drawValueAxis(canvas, panel, scale, name, write, NAME);
    for (const [at, slot] of slots.entries())
      for (const bar of barsOf(slot, data, measure, spec.layout, scale, write)) {
        const place = { x: left + at * band + inset + bar.lane * lane, width: lane, room };
        drawBar(canvas, panel, bar, place, theme, write);
      }
  }
  // Turned texts are nearer to each other than the places they stand at.
  const every = turned ? Math.max(1, Math.ceil((LABEL_SIZE + 3) / (band * TURNED_SHARE))) : 1;
  const texts = slots.map(({ label }) => label);
  const shown = turned ? fitLabels(texts, LABEL_SIZE, (foot - 10) / TURNED_SHARE) : texts;
  for (const [at, { label }] of slots.entries()) {
    if (at % every !== 0) continue;
    const x = left + (at + 0.5) * band;
    if (turned)
      canvas.text(x + 4, area.bottom - NAME - foot + 10, label, {
        anchor: 'end',
        turn: TURN,
        shown: shown[at],
        fill: SOFT,
      });
    else canvas.text(x, area.bottom - NAME - foot + 12, label, { anchor: 'middle', fill: SOFT });
  }
  canvas.text((left + area.right) / 2, area.bottom - 4, across, {
    ...{ anchor: 'middle', fill: SOFT, bold: true, width: area.right - left },
  });
}

interface Place {
  readonly x: number;
  readonly width: number;
  /** For the number above the bar; undefined where none is written. */
  readonly room: number | undefined;
}

function drawBar(
  canvas: Canvas,
  panel: Area,
  bar: DrawnBar,
  { x, width, room }: Place,
  theme: ChartTheme,
  write: NumberText,
): void {
  const y = (share: number): number => panel.bottom - share * (panel.bottom - panel.top);
  const [top, bottom] = [y(Math.max(bar.from, bar.to)), y(Math.min(bar.from, bar.to))];
  const look = barLook(markOf(theme, bar.series).fill, theme);
  if (typeof bar.value === 'object') canvas.rect(x, top, Math.max(1, width - 1), bottom - top, look, bar.title);
  if (room === undefined) return;
  const text = typeof bar.value === 'string' ? bar.value : write.short(bar.value);
  if (textWidth(text, LABEL_SIZE - 1) <= room)
    canvas.text(x + width / 2, top - 3, text, { anchor: 'middle', size: LABEL_SIZE - 1, fill: INK });
}
