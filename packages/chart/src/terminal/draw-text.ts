import { checkChoice, checkWhole, type QueryResult } from '@askema/core';
import { barData } from '../data/bar-data.ts';
import { isOneAxis } from '../data/bar-reach.ts';
import { cellLabel, safeText } from '../data/cell-label.ts';
import { dotData } from '../data/dot-data.ts';
import { isOneAxisOfLines, lineData, valuesOfPanels } from '../data/line-data.ts';
import { type NumberText, numberText } from '../data/number-text.ts';
import { axesNote, omissions } from '../describe/omissions.ts';
import { numericOf } from '../facts/numeric.ts';
import type { ChartSpec } from '../spec/chart-spec.ts';
import { fittingSpec } from '../spec/check-chart-spec.ts';
import { barLines, legendLines } from './bar-lines.ts';
import { wrapped } from './line-width.ts';
import { type Pen, penOf } from './pen.ts';
import { type Plot, plotLines } from './plot-lines.ts';

export interface DrawTextOptions {
  /** Columns of the terminal, 30 to 500. Default: 80. */
  readonly width?: number | undefined;
  /** Whether series are painted; without, they differ by character. Default: false. */
  readonly color?: boolean | undefined;
  /** `ascii` where a terminal has no other characters. Default: `unicode`. */
  readonly charset?: 'unicode' | 'ascii' | undefined;
  /** A language tag, by which numbers are written. Default: `en`. */
  readonly locale?: string | undefined;
}

type Result = Pick<QueryResult, 'columns' | 'rows' | 'truncated'>;

/** More dots stand for others. */
const MOST_DOTS = 200;

/**
 * The chart as lines of text for a terminal, each with a line break. Labels hold nothing that a terminal obeys; what is
 * not shown is said at the end.
 *
 * @throws AskemaError `INPUT_INVALID` for a specification that does not fit the result, `CONFIG_INVALID` for an option
 */
export function drawText(spec: ChartSpec, result: Result, options: DrawTextOptions = {}): string {
  const fitting = fittingSpec(spec, result);
  const width = checkWhole('drawText.width', options.width ?? 80, 30, 500);
  const charset = checkChoice('drawText.charset', options.charset ?? 'unicode', ['unicode', 'ascii']);
  const pen = penOf(charset, options.color ?? false);
  const write = numberText(options.locale ?? 'en', fitting.format);
  const title = wrapped(safeText(fitting.title), width);
  const lines = [...title, ...linesOf(fitting, result, width, pen, write)];
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

function linesOf(spec: ChartSpec, result: Result, width: number, pen: Pen, write: NumberText): readonly string[] {
  if (spec.kind === 'number')
    return spec.y.map((index) => {
      const value = numericOf(result.rows[0]?.[index]);
      return `${cellLabel(result.columns[index]?.name)}: ${value === undefined ? 'NULL' : write.exact(value)}`;
    });
  if (spec.kind === 'bar') {
    const data = barData(spec, result);
    const names = spec.x.map((index) => cellLabel(result.columns[index]?.name)).join(' · ');
    const notes = [...axesNote(isOneAxis(data, spec.layout)), ...omissions(data, result, write)];
    return [...barLines(data, spec, names, width, pen, write), ...notes.flatMap((note) => wrapped(note, width))];
  }
  return spec.kind === 'line' ? linePlots(spec, result, width, pen, write) : dotPlot(spec, result, width, pen, write);
}

function linePlots(spec: ChartSpec, result: Result, width: number, pen: Pen, write: NumberText): readonly string[] {
  const data = lineData(spec, result);
  const names = data.panels[0]?.lines.map(({ name }) => name) ?? [];
  const values = valuesOfPanels(data);
  const plots = data.panels.map(({ measure, lines }, at): Plot => {
    const pieces = lines.flatMap((line) => line.pieces);
    return { measure, values: values[at] ?? [], kind: data.axis.kind, pieces, isJoined: true, isGathered: false };
  });
  return [
    ...legendLines(names, width, pen, 'mark'),
    ...plots.flatMap((plot) => plotLines(plot, width, pen, write)),
    ...[...axesNote(isOneAxisOfLines(data)), ...omissions(data, result, write)].flatMap((note) => wrapped(note, width)),
  ];
}

function dotPlot(spec: ChartSpec, result: Result, width: number, pen: Pen, write: NumberText): readonly string[] {
  const data = dotData(spec, result);
  const isGathered = data.dots.length > MOST_DOTS;
  // Where dots meet, that of the later series is seen.
  const pieces = data.series.map((_, at) => data.dots.filter(({ series }) => series === at));
  const values = data.dots.map(({ value }) => value.approximate);
  const plot = { measure: data.measure, values, kind: data.axis.kind, pieces, isJoined: false, isGathered };
  return [
    ...(isGathered ? [] : legendLines(data.series, width, pen, 'mark')),
    ...plotLines(plot, width, pen, write),
    `across: ${data.across}`,
    ...(isGathered ? ['Fuller marks stand for more rows.'] : []),
    ...omissions(data, result, write).flatMap((note) => wrapped(note, width)),
  ];
}
