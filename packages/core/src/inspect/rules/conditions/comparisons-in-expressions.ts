import { textOf } from '../../resolve/index.ts';
import type { ResolvedQuery } from '../../resolved-query.ts';
import type { RuleFinding } from '../../rule.ts';
import { columnFacts, isNumberText } from './column-comparisons.ts';

/** Behind a column: an equality with a text in quotes. Longer texts are not looked at. */
const EQUALS_TEXT = /^\s{0,20}(?:==?|<>|!=)\s{0,20}'((?:[^'\\]|''){0,200})'/;
const LOOKED_AT = 250;

/**
 * Numbers that are compared with words inside of an expression, as in `SUM(CASE WHEN publisher_id = 'Marvel' THEN 1 END)`: filters of WHERE
 * and HAVING are judged as such, these are no filters.
 */
export function* comparisonsInExpressions(query: ResolvedQuery): Generator<RuleFinding, void, undefined> {
  for (const resolved of query.blocks)
    for (const [index, { span, clause }] of resolved.block.columns.entries()) {
      if (clause !== 'select' && clause !== 'order by' && clause !== 'group by') continue;
      const found = EQUALS_TEXT.exec(query.sql.slice(span.end, span.end + LOOKED_AT));
      const value = found?.[1];
      if (found === null || value === undefined || isNumberText(value)) continue;
      if (columnFacts(query, resolved, index)?.type !== 'NUMERIC') continue;
      const written = textOf(query, span);
      yield {
        severity: 'warning',
        message: `${written} holds numbers and is compared with the text '${value}'.`,
        advice: `Compare the column that holds such texts, or ${written} with a number.`,
        span: { start: span.start, end: span.end + found[0].length },
      };
    }
}
