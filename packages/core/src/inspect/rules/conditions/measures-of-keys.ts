import type { Attribute } from '../../../schema/schema.ts';
import { splitWords } from '../../../text/index.ts';
import { bareArgument, originOf, textOf } from '../../resolve/index.ts';
import type { ResolvedQuery } from '../../resolved-query.ts';
import type { RuleFinding } from '../../rule.ts';
import { columnOf } from './column-comparisons.ts';

const ADDED_UP = /^(?:sum|avg|median|stddev\w{0,8}|variance|var_\w{1,8})$/i;
const RANGES = new Set(['<', '<=', '>', '>=', 'between']);
/** The last word of names that number rows and measure nothing. A key that is called `year` or `rank` may well be compared. */
const ROW_NUMBERS = new Set(['id', 'key', 'uid', 'pk', 'sk']);
/** Asks for rows by their number. */
const ASKS_FOR_KEYS = /\b(?:ids?|identifiers?|keys?|numbers?|numbered|codes?)\b/i;

/**
 * Keys that are treated as measures: their sum or average, and, where the question does not speak of keys, a range of them
 * (`customer_id > 15`).
 */
export function* measuresOfKeys(query: ResolvedQuery): Generator<RuleFinding, void, undefined> {
  const asksForKeys = query.question === undefined || ASKS_FOR_KEYS.test(query.question.slice(0, 5_000));
  for (const resolved of query.blocks) {
    const { block } = resolved;
    for (const call of block.calls) {
      const name = call.name.at(-1)?.text ?? '';
      const column = ADDED_UP.test(name) ? bareArgument(query.sql, block, call) : undefined;
      const id = column === undefined ? undefined : originOf(query, block.id, column);
      const attribute = id === undefined ? undefined : query.index.attribute(id);
      if (attribute !== undefined && isRowNumber(query, attribute))
        yield {
          severity: 'warning',
          message: `${textOf(query, call.span)} adds up keys, which number rows and measure nothing.`,
          advice: `Use the column that holds what is to be measured, or COUNT for a number of rows.`,
          span: call.span,
        };
    }
    if (asksForKeys) continue;
    for (const { operator, left, right, span } of block.filters) {
      const attribute = RANGES.has(operator) ? columnOf(query, resolved, left)?.attribute : undefined;
      if (attribute === undefined || !right.every(({ literal }) => literal?.type === 'number')) continue;
      if (!isRowNumber(query, attribute)) continue;
      yield {
        severity: 'warning',
        message: `${textOf(query, span)} compares a key, which numbers rows, and the question asks for no keys.`,
        advice: 'Compare the column that holds the measure that the question speaks of.',
        span,
      };
    }
  }
}

function isRowNumber({ index }: ResolvedQuery, { id, name, relation, type }: Attribute): boolean {
  if (type !== 'NUMERIC' || !ROW_NUMBERS.has(splitWords(name).at(-1) ?? '')) return false;
  return (
    index.primaryKey(relation)?.attributes.includes(id) === true ||
    index.foreignKeysFrom(relation).some(({ pairs }) => pairs.some(({ from }) => from === id))
  );
}
