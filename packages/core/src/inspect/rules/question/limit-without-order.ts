import type { QueryBlock } from '../../../ports/query-shape.ts';
import { conjuncts, originOf } from '../../resolve/index.ts';
import type { ResolvedQuery } from '../../resolved-query.ts';
import type { InspectionRule } from '../../rule.ts';
import { ANY_ROWS } from './question-cues.ts';
import { questionText } from './question-text.ts';
import { givesOneRow } from './statement-facts.ts';

/** LIMIT without ORDER BY keeps whichever rows the engine meets first. */
export const limitWithoutOrder: InspectionRule = {
  code: 'limit-without-order',
  severity: 'warning',
  title: 'LIMIT without ORDER BY keeps arbitrary rows',
  *check(query) {
    for (const { block } of query.blocks) {
      const { limit, role } = block;
      // LIMIT 0 asks for the columns, EXISTS for whether there is a row.
      if (limit?.count === undefined || limit.count === '0' || role === 'exists') continue;
      if (block.orderBy.length > 0 || givesOneRow(block) || isOrderedInside(query, block) || isOneRow(query, block))
        continue;
      const isStatement = block.id === 0;
      const question = questionText(query);
      const isAnyMeant = question !== undefined && ANY_ROWS.test(question);
      yield {
        severity: isStatement && !isAnyMeant ? 'warning' : 'note',
        message: `Which ${limit.count === '1' ? 'row is' : `${limit.count} rows are`} kept is left to chance: there is no ORDER BY.`,
        advice: 'Add ORDER BY by what the question ranks by, or leave LIMIT out where all rows are meant.',
        span: limit.span,
      };
    }
  },
};

/** FROM is one sub-query or CTE that is ordered or limited itself: engines mostly keep that order. */
function isOrderedInside(query: ResolvedQuery, block: QueryBlock): boolean {
  return block.relations.some(({ block: inner }) => {
    const shape = inner === undefined ? undefined : query.shape.blocks[inner];
    return shape !== undefined && (shape.orderBy.length > 0 || shape.limit !== undefined || givesOneRow(shape));
  });
}

/** A unique attribute is compared with one value. */
function isOneRow(query: ResolvedQuery, block: QueryBlock): boolean {
  return conjuncts(block, 'where').some(({ operator, left, right }) => {
    const column = left.kind === 'column' ? left.columns[0] : undefined;
    const attribute = column === undefined ? undefined : originOf(query, block.id, column);
    return (
      operator === '=' && right[0]?.kind !== 'column' && attribute !== undefined && query.index.isUnique(attribute)
    );
  });
}
