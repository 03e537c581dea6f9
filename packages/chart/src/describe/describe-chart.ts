import type { QueryResult, Row } from '@askema/core';
import { type BarData, barData } from '../data/bar-data.ts';
import { cellLabel, isolated } from '../data/cell-label.ts';
import type { ChartPoint } from '../data/chart-point.ts';
import { type DotData, dotData } from '../data/dot-data.ts';
import { allPoints, type LineData, lineData } from '../data/line-data.ts';
import { type NumberText, numberText } from '../data/number-text.ts';
import { digitsOf, type Numeric, numericOf } from '../facts/numeric.ts';
import type { ChartSpec } from '../spec/chart-spec.ts';
import { fittingSpec } from '../spec/check-chart-spec.ts';
import { extremesOf } from './extremes.ts';
import { omissions } from './omissions.ts';

export interface DescribeOptions {
  /** A language tag for numbers; the sentences are English. Default: `en`. */
  readonly locale?: string | undefined;
}

type Result = Pick<QueryResult, 'columns' | 'rows' | 'truncated'>;

/**
 * What a chart shows, in a sentence or two: from where to where, the highest and the lowest with all their digits, and
 * what is left out. For a person who does not see the chart, and for a model that is asked about it.
 *
 * @throws AskemaError `INPUT_INVALID` for a specification that does not fit the result, `CONFIG_INVALID` for a locale
 */
export function describeChart(spec: ChartSpec, result: Result, options: DescribeOptions = {}): string {
  const fitting = fittingSpec(spec, result);
  const write = numberText(options.locale ?? 'en', fitting.format);
  if (fitting.kind === 'number') return describeNumbers(fitting, result, write);
  if (fitting.kind === 'line') return describeLines(lineData(fitting, result), fitting, result, write);
  if (fitting.kind === 'scatter') return describeDots(dotData(fitting, result), result, write);
  return describeBars(barData(fitting, result), fitting, result, write);
}

/** The same of data that was made for a picture, so that it says what the picture shows. */
export function describeBars(data: BarData, spec: ChartSpec, result: Result, write: NumberText): string {
  const by = columnNames(spec.x.length === 0 ? [spec.series ?? -1] : spec.x, result);
  const series = spec.series === undefined || spec.x.length === 0 ? '' : `, by ${columnNames([spec.series], result)}`;
  const how = spec.layout === undefined ? 'Bars' : `Bars, ${spec.layout},`;
  const extremes = data.measures.map((measure, at) => {
    const cells = cellsOf(spec, result, at);
    return extremesText(measure, cells, (cell) => nameOfCell(cell, spec), data.measures.length, write);
  });
  const drawn = data.slots.filter(({ values }) => values.some(({ length }) => length > 0)).length;
  const count =
    data.omittedSlots === 0
      ? write.count(drawn)
      : `the ${data.kept} ${write.count(drawn)} of ${write.count(drawn + data.omittedSlots)}`;
  const head = `${how} of ${listed(data.measures)} for ${count} ${by}${series}.`;
  return sentences([head, ...extremes, ...omissions(data, result, write)]);
}

interface MeasuredCell {
  readonly row: Row;
  readonly value: Numeric;
}

/** All numbers of a measure, drawn or not: what is called the highest is that of the result. */
function cellsOf({ y }: ChartSpec, { rows }: Result, measure: number): readonly MeasuredCell[] {
  return rows.flatMap((row) => {
    const value = numericOf(row[y[measure] ?? -1]);
    return value !== undefined && Number.isFinite(value.approximate) ? [{ row, value }] : [];
  });
}

function nameOfCell({ row }: MeasuredCell, { x, series }: ChartSpec): string {
  const label = x.map((index) => cellLabel(row[index])).join(' · ');
  return [label, series === undefined ? '' : cellLabel(row[series])].filter(Boolean).join(', ');
}

export function describeLines(data: LineData, spec: ChartSpec, result: Result, write: NumberText): string {
  const panels = data.panels.map(({ measure, lines }) => ({ measure, lines, points: allPoints(lines) }));
  const [first, last] = [-1, 1].map((side) => pointAt(panels, side));
  const series =
    spec.series === undefined
      ? ''
      : `, one line for each of ${data.panels[0]?.lines.length} ${columnNames([spec.series], result)}`;
  const reach =
    first === undefined || last === undefined
      ? ''
      : `, from ${isolated(cellLabel(first.cell))} to ${isolated(cellLabel(last.cell))}`;
  const measures = panels.map(({ measure }) => measure);
  const extremes = panels.map(({ measure, lines, points }, index) => {
    if (data.omittedSeries > 0) {
      const cells = cellsOf(spec, result, index);
      return extremesText(measure, cells, (cell) => nameOfCell(cell, spec), panels.length, write);
    }
    const nameOf = ({ cell, series: at }: ChartPoint): string =>
      [cellLabel(cell), lines[at]?.name].filter(Boolean).join(', ');
    return extremesText(measure, points, nameOf, panels.length, write);
  });
  const isJoined = panels.some(({ lines }) => lines.some(({ pieces }) => pieces.some(({ length }) => length > 1)));
  const kind = isJoined ? 'Line' : 'Points';
  const head = `${kind} of ${listed(measures)} over ${columnNames(spec.x, result)}${series}${reach}.`;
  return sentences([head, ...extremes, ...omissions(data, result, write)]);
}

export function describeDots(data: DotData, result: Result, write: NumberText): string {
  const [across, upwards] = [isolated(data.across), isolated(data.measure)];
  const head = `${write.count(data.dots.length)} dots: ${across} across, ${upwards} upwards.`;
  const extremes = extremesText(data.measure, data.dots, ({ cell }) => cellLabel(cell), 1, write);
  return sentences([head, extremes, ...omissions(data, result, write)]);
}

export function describeNumbers(spec: ChartSpec, result: Result, write: NumberText): string {
  const texts = spec.y.map((index) => {
    const value = numericOf(result.rows[0]?.[index]);
    return `${isolated(cellLabel(result.columns[index]?.name))}: ${value === undefined ? 'NULL' : write.exact(value)}`;
  });
  return sentences([`${texts.join('; ')}.`]);
}

/** The first of all points, or with 1 the last. */
function pointAt(panels: readonly { readonly points: readonly ChartPoint[] }[], side: number): ChartPoint | undefined {
  let best: ChartPoint | undefined;
  for (const { points } of panels)
    for (const point of points) if (best === undefined || (point.at - best.at) * side > 0) best = point;
  return best;
}

function extremesText<T extends { readonly value: Numeric }>(
  measure: string,
  all: readonly T[],
  nameOf: (one: T) => string,
  measures: number,
  write: NumberText,
): string {
  const { highest, lowest } = extremesOf(all);
  const of = measures === 1 ? '' : ` of ${isolated(measure)}`;
  if (highest === undefined || lowest === undefined) return `No value${of} can be shown.`;
  const text = (one: T): string => {
    const name = nameOf(one);
    return `${write.exact(one.value)}${name === '' ? '' : ` (${isolated(name)})`}`;
  };
  if (all.length === 1) return `The one value${of}: ${text(highest)}.`;
  if (digitsOf(highest.value) === digitsOf(lowest.value)) return `All values${of} are ${write.exact(highest.value)}.`;
  return `Highest${of}: ${text(highest)}; lowest: ${text(lowest)}.`;
}

function columnNames(indexes: readonly number[], { columns }: Result): string {
  return indexes.map((index) => isolated(cellLabel(columns[index]?.name))).join(' and ');
}

const listed = (names: readonly string[]): string => names.map((name) => isolated(name)).join(', ');
const sentences = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ');
