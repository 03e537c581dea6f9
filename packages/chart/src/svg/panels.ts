import type { Scale } from '../axis/scale.ts';
import type { NumberText } from '../data/number-text.ts';
import { type Area, type Canvas, LABEL_SIZE } from './canvas.ts';
import { textWidth } from './text-width.ts';
import { GRID, SOFT } from './theme.ts';

const SIZE = LABEL_SIZE - 1;

/** The width that the marks of an axis of numbers take. */
export function valueAxisWidth(scale: Scale, write: NumberText): number {
  return Math.max(...scale.ticks.map((tick) => textWidth(write.tick(tick, scale.step), SIZE))) + 8;
}

/** An axis of numbers where reading begins, with its grid, and the name of the measure so far `above` it. */
export function drawValueAxis(
  canvas: Canvas,
  panel: Area,
  scale: Scale,
  name: string,
  write: NumberText,
  above = 10,
): void {
  const { left, right, top, bottom } = panel;
  for (const tick of scale.ticks) {
    const y = bottom - scale.of(tick) * (bottom - top);
    canvas.line(left, y, right, y, { stroke: tick === 0 ? SOFT : GRID });
    canvas.text(left - 6, y + 3.5, write.tick(tick, scale.step), { anchor: 'end', size: SIZE, fill: SOFT });
  }
  canvas.text(left, top - above, name, { fill: SOFT, bold: true, width: right - left });
}
