import { aggregatesOf } from '../../resolve/index.ts';
import type { InspectionRule } from '../../rule.ts';

/** An aggregate in WHERE or ON: both look at single rows, before there are groups, and every engine refuses it. */
export const aggregateInWhere: InspectionRule = {
  code: 'aggregate-in-where',
  severity: 'error',
  title: 'An aggregate stands in WHERE or ON.',
  *check(query) {
    for (const { block, columns } of query.blocks)
      for (const call of aggregatesOf(block)) {
        if (call.clause !== 'where' && call.clause !== 'join') continue;
        // An aggregate of the block around a sub-query in its HAVING.
        const isOuter =
          call.columns.length > 0 &&
          call.columns.every((at) => {
            const column = columns[at];
            return (column?.kind === 'attribute' || column?.kind === 'output') && column.relation.block !== block.id;
          });
        if (isOuter) continue;
        const text = query.sql.slice(call.span.start, call.span.end);
        yield {
          message: `${text} stands in ${call.clause === 'where' ? 'WHERE' : 'the condition of a join'}, which looks at single rows before there are groups.`,
          advice: `Move the condition with ${text} to HAVING, or compare with a sub-query that computes it.`,
          span: call.span,
        };
      }
  },
};
