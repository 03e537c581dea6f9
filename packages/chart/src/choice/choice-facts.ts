import type { QueryResult } from '@askema/core';
import { stepCount, stepsAlong } from '../data/steps.ts';
import { type ColumnFacts, type FactOptions, resultFacts } from '../facts/column-facts.ts';
import { approximateOf } from '../facts/numeric.ts';
import type { ShapeFacts } from '../facts/shape-facts.ts';
import { isUnique } from '../facts/unique-rows.ts';
import { type QuestionWords, questionWords } from './question-words.ts';

export interface ChartOptions extends FactOptions {
  /** As the person asked; its words choose among what is right, and it is the title. */
  readonly question?: string | undefined;
}

/** All that a rule may look at. */
export interface ChoiceFacts {
  readonly rows: number;
  readonly columns: readonly ColumnFacts[];
  readonly measures: readonly ColumnFacts[];
  readonly times: readonly ColumnFacts[];
  readonly parts: readonly ColumnFacts[];
  /** Categories and identifiers: what names a row. */
  readonly labels: readonly ColumnFacts[];
  readonly words: QuestionWords;
  readonly shape: ShapeFacts | undefined;
  readonly question: string | undefined;
  isUnique(columns: readonly ColumnFacts[]): boolean;
  /** From the first to the last on an axis of these columns, missing ones too; undefined where nothing tells them. */
  steps(columns: readonly ColumnFacts[]): number | undefined;
  /** Whether so many can be cut off without parting equal ones, by size or as the rows are `ranked`. */
  hasTop(measure: ColumnFacts, most: number, ranked: boolean): boolean;
  /** Whether rows follow each other along a calendar or a grid, as measurements do and events do not. */
  isRegular(time: ColumnFacts): boolean;
}

export function choiceFacts(result: Pick<QueryResult, 'columns' | 'rows'>, options: ChartOptions): ChoiceFacts {
  const { columns, shape } = resultFacts(result, options);
  const of = (...roles: readonly ColumnFacts['role'][]): readonly ColumnFacts[] =>
    columns.filter(({ role }) => roles.includes(role));
  return {
    ...{ rows: result.rows.length, columns, shape, question: options.question },
    ...{ measures: of('measure'), times: of('time'), parts: of('part'), labels: of('category', 'id') },
    words: questionWords(options.question),
    isRegular: ({ index }) => stepsAlong([index], result) !== undefined,
    hasTop: ({ index }, most, ranked) =>
      hasTop(
        result.rows.map((row) => approximateOf(row[index])),
        most,
        ranked,
      ),
    steps: (some) =>
      stepCount(
        some.map(({ index }) => index),
        result,
      ),
    isUnique: (some) =>
      isUnique(
        result.rows,
        some.map(({ index }) => index),
      ),
  };
}

function hasTop(sizes: readonly (number | undefined)[], most: number, ranked: boolean): boolean {
  const known = sizes.map((size) => size ?? Number.NEGATIVE_INFINITY);
  if (!ranked) known.sort((a, b) => b - a);
  return known.length <= most || known[0] !== known[most];
}
