import { showMs, showNumber } from './render.ts';
import type { BenchResult } from './result.ts';

/** One row of the page of ratios: a figure of ours beside the same figure of a peer. */
export interface Headline {
  /** What was done, and at which size. */
  readonly what: string;
  /** Where both figures stand: the id of a bench, and of one of its parts. */
  readonly bench: string;
  readonly part: string;
  readonly measure: Measure;
  readonly ours: Place;
  readonly peer: Place;
  /** How the peer is called on the page. Default: the name of the contender. */
  readonly peerName?: string | undefined;
}

/** What a figure means: which is better, how it is shown, and the words for better and worse. */
export interface Measure {
  readonly better: 'less' | 'more';
  readonly words: readonly [better: string, worse: string];
  /** False where a ratio would say little: recall, rows that are right. */
  readonly ratio: boolean;
  readonly show: (value: number) => string;
}

/** A row of a comparison, or a cell of a table. */
export type Place =
  | { readonly contender: string; readonly size: number }
  | { readonly where: Readonly<Record<string, string | number>>; readonly column: string };

const faster = ['faster', 'slower'] as const;
export const TIME: Measure = { better: 'less', words: faster, ratio: true, show: showMs };
export const SECONDS: Measure = { ...TIME, show: (value) => `${showNumber(value)} s` };
export const THROUGHPUT: Measure = {
  better: 'more',
  words: faster,
  ratio: true,
  show: (value) => `${showNumber(value)} MB/s`,
};
export const ITEMS_PER_SECOND: Measure = { ...THROUGHPUT, show: (value) => `${showNumber(value)} items/s` };
export const TOKENS: Measure = {
  better: 'less',
  words: ['smaller', 'larger'],
  ratio: true,
  show: (value) => `${showNumber(value)} million`,
};
export const TOKENS_SENT: Measure = { ...TOKENS, show: showNumber };
const better = ['better', 'worse'] as const;
export const FEWER: Measure = { better: 'less', words: better, ratio: false, show: showNumber };
export const MORE: Measure = { better: 'more', words: better, ratio: false, show: showNumber };
export const SHARE: Measure = {
  better: 'more',
  words: better,
  ratio: false,
  show: (value) => `${showNumber(value)} %`,
};

/** So much of a difference is none. */
const SAME = 1.05;

/** The cells of a headline: what, ours, the peer's name, its figure, and the verdict; what is worse is set in bold. */
export function renderHeadline(headline: Headline, results: readonly BenchResult[]): readonly string[] {
  const { measure, peer } = headline;
  const ours = figureAt(headline, headline.ours, results);
  const theirs = figureAt(headline, peer, results);
  const name = headline.peerName ?? ('contender' in peer ? peer.contender : String(peer.where[''] ?? ''));
  const show = (figure: number | string): string => (typeof figure === 'number' ? measure.show(figure) : figure);
  return [headline.what, show(ours), name, show(theirs), verdictOn(measure, ours, theirs)];
}

function verdictOn(measure: Measure, ours: number | string, theirs: number | string): string {
  if (typeof ours === 'string' || typeof theirs === 'string') return '';
  const [good, bad] = measure.words;
  const gain = measure.better === 'less' ? theirs / ours : ours / theirs;
  if (ours === theirs || (measure.ratio && gain < SAME && gain > 1 / SAME)) return 'the same';
  const times = measure.ratio ? `${showNumber(Number(Math.max(gain, 1 / gain).toPrecision(2)))} times ` : '';
  return gain > 1 ? `${times}${good}` : `**${times}${bad}**`;
}

/** A number where there is one (times in milliseconds); otherwise what stands there. */
function figureAt(
  { bench, part: partId, what }: Headline,
  place: Place,
  results: readonly BenchResult[],
): number | string {
  const part = results.find(({ id }) => id === bench)?.parts.find(({ id }) => id === partId);
  if (part === undefined) throw new Error(`${what}: no results of ${bench}, ${partId}`);
  if ('contender' in place) {
    if (part.kind !== 'comparison') throw new Error(`${what}: ${bench}, ${partId} is a table`);
    const row = part.rows.find(({ contender, size }) => contender === place.contender && size === place.size);
    if (row === undefined)
      throw new Error(`${what}: no row ${place.contender} at ${place.size} in ${bench}, ${partId}`);
    return row.measured?.medianMs ?? row.absent ?? 'absent';
  }
  if (part.kind !== 'table') throw new Error(`${what}: ${bench}, ${partId} is a comparison`);
  const row = part.rows.find((cells) =>
    Object.entries(place.where).every(([column, value]) => cells[part.columns.indexOf(column)] === value),
  );
  const cell = row?.[part.columns.indexOf(place.column)];
  if (cell === undefined) throw new Error(`${what}: no ${JSON.stringify(place)} in ${bench}, ${partId}`);
  return typeof cell === 'number' ? cell : readCell(cell);
}

/**
 * `1,804 ms` → 1804, `31.3 µs` → 0.0313, `98.8 %` → 98.8. A cell of two numbers counts by its first:
 * `7.01 ms, 14.4 ms`.
 */
function readCell(cell: string): number | string {
  const [, digits, unit] = /^(\d[\d,]*(?:\.\d+)?)(?: (µs|ms|%))?(?:, .*)?$/.exec(cell) ?? [];
  if (digits === undefined) return cell;
  return Number(digits.replaceAll(',', '')) / (unit === 'µs' ? 1_000 : 1);
}
