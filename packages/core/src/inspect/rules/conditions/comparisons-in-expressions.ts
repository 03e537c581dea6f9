import { textOf } from '../../resolve/index.ts';
import { textsInExpressions } from '../../resolve/texts-in-expressions.ts';
import type { ResolvedQuery } from '../../resolved-query.ts';
import type { RuleFinding } from '../../rule.ts';
import { columnFacts, isNumberText } from './column-comparisons.ts';

/**
 * Numbers that are compared with words inside of an expression, as in `SUM(CASE WHEN publisher_id = 'Marvel' THEN 1 END)`: filters of WHERE
 * and HAVING are judged as such, these are no filters.
 */
export function* comparisonsInExpressions(query: ResolvedQuery): Generator<RuleFinding, void, undefined> {
  for (const resolved of query.blocks)
    for (const { column, literal } of textsInExpressions(query, resolved.block)) {
      const span = resolved.block.columns[column]?.span;
      if (span === undefined || isNumberText(literal.text)) continue;
      if (columnFacts(query, resolved, column)?.type !== 'NUMERIC') continue;
      const written = textOf(query, span);
      yield {
        severity: 'warning',
        message: `${written} holds numbers and is compared with the text '${literal.text}'.`,
        advice: `Compare the column that holds such texts, or ${written} with a number.`,
        span: { start: span.start, end: literal.span.end },
      };
    }
}
