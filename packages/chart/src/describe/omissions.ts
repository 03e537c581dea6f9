import type { QueryResult } from '@askema/core';
import type { BarData } from '../data/bar-data.ts';
import type { NumberText } from '../data/number-text.ts';

type Omitted = Partial<Pick<BarData, 'kept' | 'omittedSlots' | 'omittedSeries' | 'withoutValue' | 'emptySteps'>> & {
  readonly omittedPoints?: number;
  readonly gaps?: number;
};

const CUT = {
  largest: { one: 'smaller bar is not shown.', more: 'smaller bars are not shown: these are the largest.' },
  first: { one: 'more bar is not shown.', more: 'more bars are not shown: these come first.' },
};

/** What a picture does not show, a sentence each: below the picture and in its description. */
export function omissions(data: Omitted, result: Pick<QueryResult, 'truncated'>, write: NumberText): readonly string[] {
  const { omittedSlots = 0, omittedSeries = 0, omittedPoints = 0, withoutValue = 0, gaps = 0, emptySteps = 0 } = data;
  const cut = CUT[data.kept ?? 'first'];
  const said = (count: number, one: string, more: string): string =>
    count === 0 ? '' : `${write.count(count)} ${count === 1 ? one : more}`;
  return [
    said(omittedSlots, cut.one, cut.more),
    said(
      omittedSeries,
      'more series is not shown: its highest value is smaller or equal.',
      'more series are not shown: their highest values are smaller or equal.',
    ),
    said(
      omittedPoints,
      'value is not shown: NULL or no finite number.',
      'values are not shown: NULL or no finite number.',
    ),
    said(withoutValue, 'bar has no number.', 'bars have no number.'),
    said(gaps, 'gap: a value or a step is missing there.', 'gaps: values or steps are missing there.'),
    said(emptySteps, 'empty place: a step without a row.', 'empty places: steps without a row.'),
    result.truncated === undefined ? '' : 'The result was cut off: this is a part of it.',
  ].filter((text) => text !== '');
}

/** What is said of points that lie on each other. */
export function coveredNote(count: number, write: NumberText): readonly string[] {
  if (count === 0) return [];
  return [
    count === 1
      ? '1 value lies under an equal one of another series.'
      : `${write.count(count)} values lie under equal ones of other series.`,
  ];
}

/** What is said of panels that are not to be compared. */
export function axesNote(isOneAxis: boolean): readonly string[] {
  return isOneAxis ? [] : ['Each panel has a scale of its own: compare within one only.'];
}
