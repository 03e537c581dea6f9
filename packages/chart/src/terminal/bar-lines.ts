import type { BarData, BarValue } from '../data/bar-data.ts';
import { isOneAxis, sizeOf } from '../data/bar-reach.ts';
import type { NumberText } from '../data/number-text.ts';
import type { ChartSpec } from '../spec/chart-spec.ts';
import { columnsOf, labelsOf, widestOf, wrapped } from './line-width.ts';
import type { Pen } from './pen.ts';

const LABEL_SHARE = 0.34;
const WIDEST_VALUE = 14;
const LEAST_BAR = 8;

/**
 * The bars as lines of text, measure by measure, below the `names` of what they stand for. Zero is where bars begin, to
 * both sides where there are negatives. Measures that may be compared have one scale.
 */
export function barLines(
  data: BarData,
  spec: ChartSpec,
  names: string,
  width: number,
  pen: Pen,
  write: NumberText,
): readonly string[] {
  const labels = labelColumns(data, names, width, pen);
  const panels = data.measures.map((name, measure) => {
    const lanes = lanesOf(data, measure, spec.layout, labels.shown);
    const texts = lanes.map(({ parts }) => valueText(parts, write));
    return {
      name,
      lanes,
      texts,
      values: widestOf(texts, WIDEST_VALUE),
      up: reachOf(lanes, 1),
      down: reachOf(lanes, -1),
    };
  });
  const isOne = isOneAxis(data, spec.layout);
  const most = (of: (panel: (typeof panels)[number]) => number): number => Math.max(...panels.map(of));
  const one = { values: most(({ values }) => values), up: most(({ up }) => up), down: most(({ down }) => down) };
  const isStack = spec.layout === 'stacked' && data.series.length > 1;
  return [
    ...legendLines(data.series, width, pen, 'fill'),
    ...panels.flatMap((panel, at) =>
      measureLines({ ...panel, ...(isOne ? one : {}) }, at === 0 ? labels : { ...labels, head: '' }, width, pen),
    ),
    ...(isStack
      ? wrapped('Numbers are sums of the parts that are drawn. The smallest parts take one column.', width)
      : []),
  ];
}

interface LabelColumns {
  readonly width: number;
  readonly head: string;
  readonly shown: readonly string[];
}

function labelColumns({ slots }: BarData, names: string, width: number, pen: Pen): LabelColumns {
  const labels = slots.map(({ label }) => label);
  const wide = widestOf([names, ...labels], Math.floor(width * LABEL_SHARE));
  return { width: wide, head: names, shown: labelsOf(labels, wide, pen.cut) };
}

interface MeasurePanel {
  readonly name: string;
  readonly lanes: readonly Lane[];
  readonly texts: readonly string[];
  /** Columns for what stands behind the bars. */
  readonly values: number;
  /** How far bars reach to both sides of zero. */
  readonly up: number;
  readonly down: number;
}

const LONGEST_NAME = 24;

/** What each series looks like, on as many lines as it takes. */
export function legendLines(
  names: readonly string[],
  width: number,
  pen: Pen,
  kind: 'fill' | 'mark',
): readonly string[] {
  if (names.length < 2) return [];
  const lines: string[] = [];
  let used = 0;
  for (const [at, name] of labelsOf(names, LONGEST_NAME, pen.cut).entries()) {
    const wide = widestOf([name], LONGEST_NAME) + 4;
    const entry = `${pen.paint(pen[kind](at), at)} ${columnsOf(name, wide - 4, 'left', pen.cut)}`;
    if (at === 0 || used + wide > width) {
      lines.push(entry);
      used = wide;
    } else {
      lines.push(`${lines.pop()}  ${entry}`);
      used += wide;
    }
  }
  return lines;
}

interface Lane {
  readonly label: string;
  readonly parts: readonly { readonly value: BarValue; readonly series: number }[];
}

function lanesOf(
  data: BarData,
  measure: number,
  layout: ChartSpec['layout'],
  labels: readonly string[],
): readonly Lane[] {
  return data.slots.flatMap(({ values }, slot) => {
    const label = labels[slot] ?? '';
    const parts = (values[measure] ?? []).map((value, series) => ({ value, series }));
    if (layout === 'stacked') return [{ label, parts }];
    const there = parts.filter(({ value }) => value !== undefined);
    if (there.length === 0) return [{ label, parts: [] }];
    return there.map((part, at) => ({ label: at === 0 ? label : '', parts: [part] }));
  });
}

function reachOf(lanes: readonly Lane[], side: 1 | -1): number {
  const sums = lanes.map(({ parts }) => parts.reduce((sum, { value }) => sum + Math.max(0, side * sizeOf(value)), 0));
  return Math.max(0, ...sums);
}

function measureLines(
  { name, lanes, texts, values, up, down }: MeasurePanel,
  labels: LabelColumns,
  width: number,
  pen: Pen,
): readonly string[] {
  const room = Math.max(LEAST_BAR, width - labels.width - values - 3);
  // Halves, because both together may be more than the largest float. One scale for both sides.
  const share = (size: number): number => (up + down === 0 ? 0 : size / 2 / (up / 2 + down / 2));
  const below = Math.max(...lanes.map(({ parts }) => parts.filter(({ value }) => sizeOf(value) < 0).length));
  const left = down === 0 ? 0 : Math.max(below, Math.round(room * share(down)));
  const drawn = lanes.map(({ label, parts }, at) => {
    const down = columnsOfParts(
      parts.map(({ value }) => share(-sizeOf(value)) * room),
      left,
    );
    const negative = parts.map(({ series }, part) => pen.paint(pen.fill(series).repeat(down[part] ?? 0), series));
    const used = down.reduce((sum, count) => sum + count, 0);
    const before = left === 0 ? '' : `${' '.repeat(Math.max(0, left - used))}${negative.join('')}`;
    const up = columnsOfParts(
      parts.map(({ value }) => share(sizeOf(value)) * room),
      room - left,
    );
    const positive = parts.map(({ value, series }, part) => {
      const whole = pen.fill(series).repeat(up[part] ?? 0);
      return pen.paint(parts.length > 1 ? whole : barText(share(sizeOf(value)), room, series, pen), series);
    });
    const text = texts[at] ?? '';
    const value = columnsOf(text, widestOf([text], values), 'left', pen.cut);
    return `${columnsOf(label, labels.width, 'right', pen.cut)} ${before}${pen.axis}${positive.join('')} ${value}`;
  });
  const shownName = columnsOf(name, widestOf([name], width - labels.width - 1), 'left', pen.cut);
  return [`${columnsOf(labels.head, labels.width, 'right', pen.cut)} ${shownName}`, ...drawn];
}

/** Of a stack the sum: its parts are read by their share. */
function valueText(parts: Lane['parts'], write: NumberText): string {
  if (parts.length === 0) return '';
  if (parts.length > 1) {
    const sum = parts.reduce((total, { value }) => total + sizeOf(value), 0);
    const isKnown = Number.isFinite(sum) && parts.some(({ value }) => typeof value === 'object');
    return isKnown ? write.short({ approximate: sum, cell: sum }) : '';
  }
  const value = parts[0]?.value;
  return typeof value === 'object' ? write.short(value) : (value ?? '');
}

/** Whole columns for parts of such lengths, one behind the other: at least one each, together at most `most`. */
function columnsOfParts(lengths: readonly number[], most: number): readonly number[] {
  let [there, end] = [0, 0];
  let left = lengths.filter((length) => length > 0).length;
  return lengths.map((length) => {
    if (length <= 0) return 0;
    const before = end;
    there += length;
    left -= 1;
    end = Math.min(Math.max(before + 1, Math.round(there)), Math.max(before, most - left));
    return end - before;
  });
}

function barText(share: number, room: number, series: number, pen: Pen): string {
  if (share <= 0) return '';
  if (pen.part(1) === '') return pen.fill(series).repeat(Math.round(share * room));
  const eighths = Math.round(share * room * 8);
  const full = pen.fill(series).repeat(Math.floor(eighths / 8));
  // Parts of a column go with whole blocks only.
  return pen.fill(series) === '█' ? `${full}${pen.part(eighths % 8)}` : full;
}
