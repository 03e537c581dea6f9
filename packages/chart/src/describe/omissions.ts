import type { QueryResult } from '@askema/core';
import type { BarData } from '../data/bar-data.ts';
import type { NumberText } from '../data/number-text.ts';

type Omitted = Partial<Pick<BarData, 'omittedSlots' | 'omittedSeries' | 'withoutValue'>> & {
  readonly omittedPoints?: number;
  readonly gaps?: number;
  readonly passedOver?: number;
};

/** What a picture does not show, a sentence each: below the picture and in its description. */
export function omissions(data: Omitted, result: Pick<QueryResult, 'truncated'>, write: NumberText): readonly string[] {
  const { omittedSlots = 0, omittedSeries = 0, omittedPoints = 0, withoutValue = 0, gaps = 0, passedOver = 0 } = data;
  const said = (count: number, text: (count: string) => string): string =>
    count === 0 ? '' : text(write.count(count));
  return [
    said(omittedSlots, (count) => `${count} more bars are not shown.`),
    said(omittedSeries, (count) => `${count} more series are not shown: those with the largest values are.`),
    said(omittedPoints, (count) => `Not shown, because they are NULL or no finite number: ${count}.`),
    said(withoutValue, (count) => `Without a number: ${count}.`),
    said(gaps, (count) => `Gaps, where a value or a step of time is missing: ${count}.`),
    said(passedOver, (count) => `The line passes over steps of time without a row: ${count}.`),
    result.truncated === undefined ? '' : 'The result was cut off: this is a part of it.',
  ].filter((text) => text !== '');
}
