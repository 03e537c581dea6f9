import type { FilterShape } from '../../../ports/query-shape.ts';
import type { ResolvedBlock } from '../../resolved-query.ts';
import type { InspectionRule } from '../../rule.ts';
import { isWithin } from './grouped-block.ts';

/** HAVING in a statement that neither groups nor aggregates; and, as a note, conditions of HAVING that WHERE could hold. */
export const havingWithoutGroup: InspectionRule = {
  code: 'having-without-group',
  severity: 'warning',
  title: 'HAVING stands where there are no groups.',
  *check(query) {
    for (const resolved of query.blocks) {
      const { block } = resolved;
      const span = block.clauses.having;
      if (span === undefined) continue;
      const isAggregate = block.calls.some(({ kind }) => kind === 'aggregate');
      if (block.groupings.length === 0 && !isAggregate) {
        yield {
          message: 'HAVING stands in a statement that neither groups nor aggregates.',
          advice: 'Move the conditions to WHERE, or add the GROUP BY that they are about.',
          span,
        };
        continue;
      }
      for (const filter of block.filters) {
        if (filter.clause !== 'having' || !isAboutRows(resolved, filter)) continue;
        const text = query.sql.slice(filter.span.start, filter.span.end);
        yield {
          severity: 'note',
          message: `${text} stands in HAVING, but asks for no aggregate.`,
          advice: `Move ${text} to WHERE, unless it is about whole groups.`,
          span: filter.span,
        };
      }
    }
  },
};

function isAboutRows({ block, columns }: ResolvedBlock, filter: FilterShape): boolean {
  const operands = [filter.left, ...filter.right];
  const indexes = operands.flatMap((operand) => operand.columns);
  if (indexes.length === 0) return false;
  if (block.subqueries.some(({ span }) => isWithin(span, filter.span))) return false;
  if (block.calls.some(({ kind, span }) => kind !== 'scalar' && isWithin(span, filter.span))) return false;
  return indexes.every((at) => {
    const column = columns[at];
    const item = column?.kind === 'alias' ? column.item : block.columns[at]?.item;
    return column?.kind === 'attribute' && (item === undefined || block.items[item]?.kind === 'column');
  });
}
