import type { QueryResult } from '@askema/core';
import { type ColumnFacts, type FactOptions, resultFacts } from '../facts/column-facts.ts';
import type { ShapeFacts } from '../facts/shape-facts.ts';
import { timePointOf } from '../facts/time-values.ts';
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
  /** Whether the rows of a time follow each other at one distance, as measurements do and events do not. */
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
    isRegular: ({ index }) => isRegular(result.rows.map((row) => timePointOf(String(row[index] ?? ''))?.at)),
    isUnique: (some) =>
      isUnique(
        result.rows,
        some.map(({ index }) => index),
      ),
  };
}

function isRegular(times: readonly (number | undefined)[]): boolean {
  const sorted = Float64Array.from(times.filter((at) => at !== undefined)).sort();
  // What more than half of the steps are is what is left when different ones cancel each other out (Boyer, Moore 1981).
  let [usual, lead] = [Number.NaN, 0];
  for (let at = 1; at < sorted.length; at += 1) {
    const step = stepTo(sorted, at);
    if (lead === 0) usual = step;
    lead += step === usual ? 1 : -1;
  }
  let count = 0;
  for (let at = 1; at < sorted.length; at += 1) if (stepTo(sorted, at) === usual) count += 1;
  return count > (sorted.length - 1) / 2;
}

const stepTo = (sorted: Float64Array, at: number): number => (sorted[at] as number) - (sorted[at - 1] as number);
