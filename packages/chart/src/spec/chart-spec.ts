import { z } from 'zod';

/** A column of the result, by its position from 0. */
const column = z.int().min(0).max(9_999);

/** How many columns a label is made of, measures are drawn beside each other, and bars or lines at most. */
export const MOST_LABEL_COLUMNS = 3;
export const MOST_MEASURES = 4;
export const MOST_BARS = 50;
/** Of an ordered axis, where steps without a row have a place too. */
export const MOST_PLACES = 60;
export const MOST_SERIES = 8;

/** {@link ChartSpec} as a zod schema: closed, so that a model can be given it as its output. */
export const chartSpecSchema = z
  .strictObject({
    kind: z.enum(['number', 'bar', 'line', 'scatter']).describe('What is drawn.'),
    x: z
      .array(column)
      .max(MOST_LABEL_COLUMNS)
      .describe('Columns of the labels of bars (several make one label), the one column along a line, or across dots.'),
    y: z.array(column).min(1).max(MOST_MEASURES).describe('Columns of numbers. Each has an axis of its own.'),
    series: column.optional().describe('The column whose values are told apart within one axis.'),
    layout: z.enum(['grouped', 'stacked']).optional().describe('Of bars with a series.'),
    sort: z.enum(['given', 'x', 'value']).describe('Of bars: in the order of the rows, by x, or largest first.'),
    limit: z.int().min(1).max(MOST_BARS).optional().describe('Bars or series that are drawn; the others are told.'),
    format: z.enum(['plain', 'percent']).describe('How numbers are written: percent where 12.5 means 12.5 %.'),
    title: z.string().max(200),
  })
  .readonly();

/** What is drawn of a result: plain JSON, columns by position, no expression, no address, no code. */
export type ChartSpec = z.infer<typeof chartSpecSchema>;

/** All columns that are drawn. */
export function drawnColumns({ x, y, series }: ChartSpec): readonly number[] {
  return [...x, ...y, ...(series === undefined ? [] : [series])];
}
