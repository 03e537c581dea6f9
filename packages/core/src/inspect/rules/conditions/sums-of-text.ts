import { bareArgument } from '../../resolve/index.ts';
import type { ResolvedQuery } from '../../resolved-query.ts';
import type { RuleFinding } from '../../rule.ts';
import { columnFacts, holdsText } from './column-comparisons.ts';

const ADDING = new Set(['SUM', 'AVG', 'TOTAL', 'MEAN']);

/** SUM and AVG of nothing but a column that holds text or dates. */
export function* sumsOfText(query: ResolvedQuery): Generator<RuleFinding, void, undefined> {
  for (const block of query.blocks)
    for (const call of block.block.calls) {
      const name = call.name.at(-1)?.text.toUpperCase() ?? '';
      if (!ADDING.has(name)) continue;
      const argument = bareArgument(query.sql, block.block, call);
      const column = argument === undefined ? undefined : columnFacts(query, block, argument);
      if (column === undefined) continue;
      const isDate = column.type === 'DATETIME';
      if (!isDate && !holdsText(column)) continue;
      const isFailure = query.dialect.comparisons?.sumOfText === 'fails';
      yield {
        // Where text is read as numbers, cells may well be numbers that are stored as text.
        severity: isFailure ? 'error' : isDate ? 'warning' : 'note',
        message: `${name} adds numbers, and ${column.written} holds ${isDate ? 'dates' : 'text'} (${column.nativeType || column.type})${isFailure ? ': the statement fails' : ''}.`,
        advice: isDate
          ? `Take a number from ${column.written} first, such as a difference of days, or use MIN or MAX.`
          : `Use a numeric column, or COUNT; where the cells of ${column.written} are numbers, cast them.`,
        span: call.span,
      };
    }
}
