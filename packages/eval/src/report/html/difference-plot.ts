import type { PairedGroup } from '../../compare/index.ts';
import { differenceRange } from '../comparison-tables.ts';
import { points } from '../format-numbers.ts';
import { visibleLine } from '../visible-text.ts';
import { type Html, html } from './html.ts';
import { type PlotText, plot, round, shortened, whisker } from './interval-plot.ts';

const WIDTH = 720;
const LEFT = 190;
const RIGHT = 90;
const TOP = 24;
const ROW = 24;

/** Differences in points around zero: a dot with its interval for each group. What lies left of the line was lost. */
export function differencePlot(text: PlotText, groups: readonly PairedGroup[]): Html {
  const ends = groups.flatMap(({ difference }) => [difference.low, difference.high]).filter(Number.isFinite);
  // Symmetric and in steps of ten points, so that both directions are drawn to the same scale.
  const reach = Math.min(1, Math.max(0.1, Math.ceil(Math.max(0, ...ends.map(Math.abs)) * 10) / 10));
  const at = (value: number): number => round(LEFT + ((value + reach) / (2 * reach)) * (WIDTH - LEFT - RIGHT));
  const bottom = TOP + groups.length * ROW;
  const ticks = [-1, -0.5, 0, 0.5, 1].map(
    (
      share,
    ) => html`<path class="${share === 0 ? 'axis' : 'grid'}" d="M${at(share * reach)} ${TOP - 6}V${bottom}"/><text class="soft" x="${at(share * reach)}" y="12" text-anchor="middle">${points(share * reach)}</text>
`,
  );
  const rows = groups.map((group, index) => {
    const { value, low, high } = group.difference;
    const middle = TOP + index * ROW + ROW / 2;
    const interval = group.gained + group.lost === 0 ? undefined : whisker(at(low), at(high), middle);
    return html`<text x="${LEFT - 10}" y="${middle + 4}" text-anchor="end">${shortened(group.name, 26)}</text>
${interval}<circle class="second" cx="${at(value)}" cy="${middle}" r="5"><title>${visibleLine(group.name)}: ${points(value)} points, ${differenceRange(group)}</title></circle>
<text class="soft" x="${WIDTH - RIGHT + 10}" y="${middle + 4}">${points(value)}</text>
`;
  });
  return plot(text, WIDTH, bottom + 6, [...ticks, ...rows]);
}
