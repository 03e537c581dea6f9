import type { QueryResult } from '@askema/core';
import { type ColumnFacts, type FactOptions, resultFacts } from '../facts/column-facts.ts';
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
}

export function choiceFacts(result: Pick<QueryResult, 'columns' | 'rows'>, options: ChartOptions): ChoiceFacts {
  const { columns, shape } = resultFacts(result, options);
  const of = (...roles: readonly ColumnFacts['role'][]): readonly ColumnFacts[] =>
    columns.filter(({ role }) => roles.includes(role));
  return {
    ...{ rows: result.rows.length, columns, shape, question: options.question },
    ...{ measures: of('measure'), times: of('time'), parts: of('part'), labels: of('category', 'id') },
    words: questionWords(options.question),
    isUnique: (some) =>
      isUnique(
        result.rows,
        some.map(({ index }) => index),
      ),
  };
}
