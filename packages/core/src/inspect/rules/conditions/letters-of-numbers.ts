import { bareArgument, textOf } from '../../resolve/index.ts';
import type { ResolvedQuery } from '../../resolved-query.ts';
import type { RuleFinding } from '../../rule.ts';
import { columnFacts } from './column-comparisons.ts';

/** Change or compare letters, of which numbers have none. TRIM is left out: numbers are stored as text in places. */
const OF_LETTERS = /^(?:lower|upper|lcase|ucase|initcap)$/i;

/** Letters of a column of numbers are made small or capital: `LOWER(rating) LIKE '%mexican%'` is about another column. */
export function* lettersOfNumbers(query: ResolvedQuery): Generator<RuleFinding, void, undefined> {
  for (const resolved of query.blocks)
    for (const call of resolved.block.calls) {
      if (!OF_LETTERS.test(call.name.at(-1)?.text ?? '')) continue;
      const column = bareArgument(query.sql, resolved.block, call);
      const facts = column === undefined ? undefined : columnFacts(query, resolved, column);
      if (facts?.type !== 'NUMERIC' || facts.attribute === undefined) continue;
      yield {
        severity: 'warning',
        message: `${textOf(query, call.span)} is about letters, and ${facts.written} holds numbers.`,
        advice: 'Use the column that holds the text that is meant.',
        span: call.span,
      };
    }
}
