import type { Verdict } from '../../run/evaluation-options.ts';
import { count, counted, percent } from '../format-numbers.ts';
import type { GroupFigures } from '../run-figures.ts';
import { type Html, html } from './html.ts';
import { plot, round } from './interval-plot.ts';

const SHOWN: readonly Exclude<Verdict, 'goldFailed'>[] = ['right', 'wrong', 'declined', 'failed'];
const WIDTH = 720;
const HEIGHT = 26;

/** All counted questions as one bar, split by verdict, and its key. */
export function verdictBar(id: string, { counts, counted: all }: GroupFigures): Html | undefined {
  if (all === 0) return undefined;
  let from = 0;
  const parts = SHOWN.filter((verdict) => counts[verdict] > 0).map((verdict) => {
    const width = (counts[verdict] / all) * WIDTH;
    const part = html`<rect class="${verdict}" x="${round(from)}" y="0" width="${round(Math.max(1, width - 2))}" height="${HEIGHT}"><title>${verdict}: ${count(counts[verdict])}</title></rect>
`;
    from += width;
    return part;
  });
  const said = SHOWN.map((verdict) => `${count(counts[verdict])} ${verdict} (${percent(counts[verdict] / all)})`);
  const key = SHOWN.map(
    (verdict, index) => html`<li><i class="${verdict}"></i>${said[index]}</li>
`,
  );
  const text = { id, title: 'Verdicts', description: `Of ${counted(all, 'question')}: ${said.join(', ')}.` };
  return html`<figure>${plot(text, WIDTH, HEIGHT, parts)}<figcaption><ul class="key">
${key}</ul></figcaption></figure>
`;
}
