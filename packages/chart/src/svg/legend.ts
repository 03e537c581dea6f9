import type { Canvas } from './canvas.ts';
import { LABEL_SIZE } from './canvas.ts';
import { fitLabels, textWidth } from './text-width.ts';
import { type ChartTheme, INK, markerPath, markOf } from './theme.ts';

const ROW = 18;
const SWATCH = 22;
const GAP = 16;
const LONGEST_NAME = 150;
const MARGIN = 12;

interface Placed {
  readonly name: string;
  readonly left: number;
  readonly row: number;
}

function place(names: readonly string[], width: number): readonly Placed[] {
  let [left, row] = [MARGIN, 0];
  return names.map((name) => {
    const wide = SWATCH + Math.min(LONGEST_NAME, textWidth(name, LABEL_SIZE)) + GAP;
    if (left > MARGIN && left + wide > width - MARGIN) [left, row] = [MARGIN, row + 1];
    const placed = { name, left, row };
    left += wide;
    return placed;
  });
}

/** The height that a legend takes; 0 where there is nothing to tell apart. */
export function legendHeight(names: readonly string[], width: number): number {
  return names.length < 2 ? 0 : ((place(names, width).at(-1)?.row ?? 0) + 1) * ROW;
}

/** What each series looks like, with its name. */
export function drawLegend(
  canvas: Canvas,
  names: readonly string[],
  top: number,
  theme: ChartTheme,
  kind: 'bar' | 'line' | 'scatter',
): void {
  if (names.length < 2) return;
  const shown = fitLabels(names, LABEL_SIZE, LONGEST_NAME);
  for (const [at, { name, left, row }] of place(names, canvas.width).entries()) {
    const [mark, y] = [markOf(theme, at), top + row * ROW];
    if (kind === 'bar')
      canvas.rect(left, y + 2, 14, 11, { fill: mark.fill, stroke: theme === 'color' ? undefined : INK });
    else {
      if (kind === 'line')
        canvas.line(left, y + 8, left + 18, y + 8, {
          stroke: mark.stroke,
          'stroke-width': 2,
          'stroke-dasharray': mark.dash,
        });
      const data = markerPath(mark.marker, canvas.x(left + 9), y + 8, 3);
      canvas.path(data, { fill: mark.marker === 'ring' ? 'none' : mark.stroke, stroke: mark.stroke });
    }
    canvas.text(left + SWATCH, y + 12, name, { shown: shown[at] });
  }
}
