import type { Estimate } from '../../statistics/wilson-interval.ts';
import { percent, percentRange } from '../figures/format-numbers.ts';
import { visibleLine } from '../figures/visible-text.ts';
import { Html, html } from './html.ts';

/** Names an SVG and says in words what it shows; both are read out. */
export interface PlotText {
  /** Unique in the page. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
}

/** A named row of bars, one for each run. */
interface IntervalRow {
  readonly name: string;
  readonly note: string;
  readonly bars: readonly { readonly run: 'first' | 'second'; readonly estimate: Estimate }[];
}

const WIDTH = 720;
const LEFT = 190;
const RIGHT = 110;
const TOP = 24;
const BAR = 14;
const GAP = 10;

/** Bars from 0 to 100 % with their intervals as whiskers. */
export function intervalPlot(text: PlotText, rows: readonly IntervalRow[]): Html {
  const at = (share: number): number => round(LEFT + share * (WIDTH - LEFT - RIGHT));
  let top = TOP;
  const drawn = rows.map((row) => {
    const start = top;
    const bars = row.bars.map(({ run, estimate }) => {
      const middle = top + BAR / 2;
      const bar = html`<rect class="${run}" x="${LEFT}" y="${top}" width="${round(at(estimate.value) - LEFT)}" height="${BAR}"><title>${visibleLine(row.name)}: ${percent(estimate.value)}, ${percentRange(estimate)}</title></rect>
${whisker(at(estimate.low), at(estimate.high), middle)}
`;
      top += BAR + 2;
      return bar;
    });
    const height = top - 2 - start;
    top += GAP;
    const base = start + height / 2 + 4;
    return html`<text x="${LEFT - 10}" y="${base}" text-anchor="end">${shortened(row.name, 26)}</text>
${bars}<text class="soft" x="${WIDTH - RIGHT + 10}" y="${base}">${row.note}</text>
`;
  });
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(
    (
      share,
    ) => html`<path class="grid" d="M${at(share)} ${TOP - 6}V${top - GAP / 2}"/><text class="soft" x="${at(share)}" y="12" text-anchor="middle">${share * 100} %</text>
`,
  );
  return plot(text, WIDTH, top, [...ticks, ...drawn]);
}

/** An interval as a line with ends, on a halo, so that it stands out on a bar as well. */
export function whisker(low: number, high: number, middle: number): Html {
  const path = `M${low} ${middle - 4}v8m0 -4H${high}m0 -4v8`;
  return html`<path class="halo" d="${path}"/><path class="whisker" d="${path}"/>`;
}

/** The frame of every plot. */
export function plot(
  { id, title, description }: PlotText,
  width: number,
  height: number,
  inner: readonly Html[],
  shape = '',
): Html {
  const style = shape === '' ? undefined : new Html(` class="${shape}"`);
  return html`<svg${style} viewBox="0 0 ${width} ${Math.ceil(height)}" role="img" aria-labelledby="${id}-title ${id}-desc" xmlns="http://www.w3.org/2000/svg">
<title id="${id}-title">${title}</title><desc id="${id}-desc">${description}</desc>
${inner}</svg>
`;
}

export function shortened(name: string, length: number): string {
  const characters = [...visibleLine(name)];
  return characters.length <= length ? characters.join('') : `${characters.slice(0, length - 1).join('')}…`;
}

/** Tenths are finer than a screen. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
