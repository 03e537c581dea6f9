import type { QueryBlock, Span } from '../../ports/query-shape.ts';
import type { ResolvedQuery } from '../resolved-query.ts';

/** A column that is compared with a text inside of an expression, where the shape lists no filters. */
export interface TextInExpression {
  /** Index into the columns of the block. */
  readonly column: number;
  readonly operator: '=' | '<>';
  /** Without quotes, doubled ones resolved; the span slices it with its quotes. */
  readonly literal: { readonly text: string; readonly span: Span };
}

/** Behind a column: an equality with a text in quotes. Longer texts are not looked at. */
const EQUALS_TEXT = /^\s{0,20}(==?|<>|!=)\s{0,20}'((?:[^'\\]|''){0,200})'/;
const LOOKED_AT = 250;

/** Equalities of columns with texts in SELECT, GROUP BY and ORDER BY, as in `SUM(CASE WHEN publisher = 'Marvel' THEN 1 END)`. */
export function textsInExpressions(
  { sql }: Pick<ResolvedQuery, 'sql'>,
  block: QueryBlock,
): readonly TextInExpression[] {
  return block.columns.flatMap(({ span, clause }, column) => {
    if (clause !== 'select' && clause !== 'order by' && clause !== 'group by') return [];
    const found = EQUALS_TEXT.exec(sql.slice(span.end, span.end + LOOKED_AT));
    const [whole, operator, text] = found ?? [];
    if (whole === undefined || text === undefined) return [];
    const end = span.end + whole.length;
    return [
      {
        column,
        operator: operator === '<>' || operator === '!=' ? '<>' : '=',
        literal: { text: text.replaceAll("''", "'"), span: { start: end - text.length - 2, end } },
      },
    ];
  });
}
