import { checkChoice, checkWhole, type QueryResult } from '@askema/core';
import { type BarData, barData } from '../data/bar-data.ts';
import { isOneAxis } from '../data/bar-reach.ts';
import { cellLabel, isolated } from '../data/cell-label.ts';
import { dotData } from '../data/dot-data.ts';
import { coveredPoints, isOneAxisOfLines, lineData } from '../data/line-data.ts';
import { type NumberText, numberText } from '../data/number-text.ts';
import { describeBars, describeDots, describeLines, describeNumbers } from '../describe/describe-chart.ts';
import { axesNote, coveredNote, omissions } from '../describe/omissions.ts';
import { numericOf } from '../facts/numeric.ts';
import { type ChartSpec, MOST_BARS } from '../spec/chart-spec.ts';
import { fittingSpec } from '../spec/check-chart-spec.ts';
import { lanesOf } from './bars.ts';
import { type Area, type Canvas, createCanvas } from './canvas.ts';
import { drawDots, MOST_DOTS } from './dots.ts';
import { element, textNode } from './element.ts';
import { drawHorizontalBars, FOOT, HEAD, LANE, LEAST_LANE, SLOT_GAP } from './horizontal-bars.ts';
import { drawLegend, legendHeight } from './legend.ts';
import { drawLines } from './lines.ts';
import { BOLD, fitText, linesOf, textWidth } from './text-width.ts';
import { type ChartTheme, GROUND, patternDefs, SOFT } from './theme.ts';
import { drawVerticalBars, LEAST_BAR } from './vertical-bars.ts';

export interface DrawSvgOptions {
  /** Pixels, 200 to 4,000. Default: 640. */
  readonly width?: number | undefined;
  /** Pixels, 120 to 4,000. Default: as much as the chart needs. */
  readonly height?: number | undefined;
  /** `monochrome` tells series apart by patterns, dashes and markers. Default: `color`. */
  readonly theme?: ChartTheme | undefined;
  /** A language tag, by which numbers and dates are written. Default: `en`. */
  readonly locale?: string | undefined;
  /** `rtl` begins on the right. Default: `ltr`. */
  readonly direction?: 'ltr' | 'rtl' | undefined;
}

type Result = Pick<QueryResult, 'columns' | 'rows' | 'truncated'>;

/** What is drawn between the title and the notes. */
interface Content {
  readonly legend: readonly string[];
  readonly legendKind: 'bar' | 'line' | 'scatter';
  /** The height that it would like to have. */
  readonly wanted: number;
  readonly description: string;
  readonly notes: readonly string[];
  draw(canvas: Canvas, area: Area): void;
}

const MARGIN = 12;
/** Above and below the lines of the title. */
const TITLE = 12;
const TITLE_LINE = 18;
const TITLE_SIZE = 14;
/** A title of 200 characters takes so many at the least width. */
const TITLE_LINES = 12;
const NOTE = 15;
const NOTE_SIZE = 10;
const NOTE_LINES = 3;

/**
 * The chart as an SVG document: no script, no style, no link, nothing from elsewhere, so that it can stand in a page
 * under any content security policy, and no DOM is needed. `role="img"` with its description; the same bytes for the
 * same input. Bars begin at zero; what is not shown is said below them.
 *
 * @throws AskemaError `INPUT_INVALID` for a specification that does not fit the result, `CONFIG_INVALID` for an option
 */
export function drawSvg(spec: ChartSpec, result: Result, options: DrawSvgOptions = {}): string {
  const fitting = fittingSpec(spec, result);
  const width = checkWhole('drawSvg.width', options.width ?? 640, 200, 4_000);
  const theme = checkChoice('drawSvg.theme', options.theme ?? 'color', ['color', 'monochrome']);
  const direction = checkChoice('drawSvg.direction', options.direction ?? 'ltr', ['ltr', 'rtl']);
  const locale = options.locale ?? 'en';
  const write = numberText(locale, fitting.format);
  const asked = options.height === undefined ? undefined : checkWhole('drawSvg.height', options.height, 120, 4_000);
  const titles = linesOf(spec.title, TITLE_SIZE * BOLD, width - 2 * MARGIN, TITLE_LINES);
  const head = TITLE + titles.length * TITLE_LINE;
  const content = contentOf(fitting, result, { width, theme, locale, write, asked, head });
  const legend = legendHeight(content.legend, width);
  const noteLines = content.notes.flatMap((note) => linesOf(note, NOTE_SIZE, width - 2 * MARGIN, NOTE_LINES));
  const notes = noteLines.length * NOTE;
  const height = asked ?? head + legend + content.wanted + notes + MARGIN;
  const canvas = createCanvas(width, height, direction);
  for (const [at, line] of titles.entries())
    canvas.text(MARGIN, 21 + at * TITLE_LINE, line, { size: TITLE_SIZE, bold: true });
  drawLegend(canvas, content.legend, head, theme, content.legendKind);
  const bottom = height - notes - MARGIN / 2;
  content.draw(canvas, { left: MARGIN, right: width - MARGIN, top: head + legend, bottom });
  for (const [at, note] of noteLines.entries())
    canvas.text(MARGIN, bottom + (at + 1) * NOTE - 3, note, { fill: SOFT, size: NOTE_SIZE });
  const label = isolated(spec.title, direction);
  const description = content.description;
  return `${element(
    'svg',
    {
      ...{ xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img' },
      ...{ 'aria-label': `${label}. ${description}`, 'font-family': 'system-ui, sans-serif' },
    },
    [
      element('title', {}, textNode(label)),
      element('desc', {}, textNode(description)),
      patternDefs(theme, content.legend.length),
      element('rect', { width, height, fill: GROUND }),
      ...canvas.parts,
    ],
  )}\n`;
}

interface Setting {
  readonly width: number;
  readonly theme: ChartTheme;
  readonly locale: string;
  readonly write: NumberText;
  readonly asked: number | undefined;
  /** What the title takes. */
  readonly head: number;
}

function contentOf(spec: ChartSpec, result: Result, setting: Setting): Content {
  if (spec.kind === 'number') return numberContent(spec, result, setting);
  if (spec.kind === 'line') return lineContent(spec, result, setting);
  return spec.kind === 'scatter' ? dotContent(spec, result, setting) : barContent(spec, result, setting);
}

function barContent(spec: ChartSpec, result: Result, setting: Setting): Content {
  const { theme, write } = setting;
  const isUpright = spec.sort === 'x';
  const whole = barData(spec, result);
  const lanes = lanesOf(whole, spec.layout);
  const most = mostSlots(whole, isUpright, lanes, setting);
  const data = whole.slots.length <= most ? whole : barData(spec, result, most);
  const slot = lanes * Math.max(LEAST_LANE + 3, LANE - Math.max(0, lanes - 1) * 2) + SLOT_GAP;
  const wanted = isUpright ? 106 + 210 * spec.y.length : HEAD + FOOT + data.slots.length * slot + 8;
  const across = spec.x.map((index) => cellLabel(result.columns[index]?.name)).join(' · ');
  return {
    ...{
      legend: data.series,
      legendKind: 'bar',
      wanted,
      notes: [...axesNote(isOneAxis(data, spec.layout)), ...omissions(data, result, write)],
    },
    description: describeBars(data, spec, result, write),
    draw: (canvas, area) =>
      isUpright
        ? drawVerticalBars(canvas, area, data, spec, across, theme, write)
        : drawHorizontalBars(canvas, area, data, spec, across, theme, write),
  };
}

/** No more than can be told apart in the picture. */
function mostSlots(data: BarData, isUpright: boolean, lanes: number, { width, asked, head }: Setting): number {
  if (isUpright) return Math.max(1, Math.floor((width - 80) / (lanes * LEAST_BAR + 1)));
  if (asked === undefined) return MOST_BARS;
  const room = asked - head - legendHeight(data.series, width) - HEAD - FOOT - 3 * NOTE;
  return Math.max(1, Math.floor(room / (lanes * LEAST_LANE + SLOT_GAP)));
}

function lineContent(spec: ChartSpec, result: Result, { theme, write, locale }: Setting): Content {
  const data = lineData(spec, result);
  const names = data.panels[0]?.lines.map(({ name }) => name) ?? [];
  const across = cellLabel(result.columns[spec.x[0] ?? -1]?.name);
  const covered = data.panels.reduce((sum, { lines }) => sum + coveredPoints(lines).size, 0);
  return {
    ...{ legend: names, legendKind: 'line', wanted: 100 + 210 * data.panels.length },
    notes: [...axesNote(isOneAxisOfLines(data)), ...coveredNote(covered, write), ...omissions(data, result, write)],
    ...{ description: describeLines(data, spec, result, write) },
    draw: (canvas, area) => drawLines(canvas, area, data, across, theme, write, locale),
  };
}

function dotContent(spec: ChartSpec, result: Result, { theme, write, locale }: Setting): Content {
  const data = dotData(spec, result);
  const gathered = data.dots.length > MOST_DOTS ? ['Dots are gathered in cells: the larger, the more rows.'] : [];
  return {
    ...{ legend: gathered.length > 0 ? [] : data.series, legendKind: 'scatter', wanted: 340 },
    notes: [...gathered, ...omissions(data, result, write)],
    description: describeDots(data, result, write),
    draw: (canvas, area) => drawDots(canvas, area, data, theme, write, locale),
  };
}

function numberContent(spec: ChartSpec, result: Result, { write }: Setting): Content {
  const numbers = spec.y.map((index) => ({
    name: cellLabel(result.columns[index]?.name),
    value: numericOf(result.rows[0]?.[index]),
  }));
  return {
    ...{ legend: [], legendKind: 'bar', wanted: 96, notes: omissions({}, result, write) },
    description: describeNumbers(spec, result, write),
    draw: (canvas, { left, right, top, bottom }) => {
      const room = (right - left) / numbers.length;
      for (const [at, { name, value }] of numbers.entries()) {
        const [x, text] = [left + at * room, value === undefined ? 'NULL' : write.exact(value)];
        // As large as fits; what does not fit at the least size is cut, and whole in its title.
        const size = Math.max(13, Math.min(40, (40 * (room - 12)) / textWidth(text, 40 * BOLD)));
        const middle = (top + bottom) / 2;
        canvas.text(x, middle + size / 3, text, { size, bold: true, width: room - 10 });
        if (fitText(name, 12, room - 12) !== '')
          canvas.text(x, middle + size / 3 + 20, name, { size: 12, fill: SOFT, width: room - 12 });
      }
    },
  };
}
