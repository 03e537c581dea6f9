import type { CallShape, QueryBlock } from '../../../ports/query-shape.ts';
import type { ResolvedQuery } from '../../resolved-query.ts';

/** The first SELECT of the statement: itself, or the first operand of a set operation. */
export function firstSelect(query: ResolvedQuery): QueryBlock | undefined {
  let block = query.shape.blocks[0];
  for (let depth = 0; depth < 20 && block?.kind === 'set operation'; depth++) {
    const first = block.setOperation?.operands[0];
    block = first === undefined ? undefined : query.shape.blocks[first];
  }
  return block?.kind === 'select' ? block : undefined;
}

/** True for a SELECT of aggregates without GROUP BY, or without FROM: one row. */
export function givesOneRow(block: QueryBlock | undefined): boolean {
  if (block === undefined || block.kind !== 'select') return false;
  if (block.relations.length === 0) return true;
  return block.groupings.length === 0 && block.items.length > 0 && block.items.some(({ isAggregate }) => isAggregate);
}

/** All calls of the statement. */
export function allCalls(query: ResolvedQuery): readonly CallShape[] {
  return query.shape.blocks.flatMap(({ calls }) => calls);
}

/** The end of a statement, where a clause may be added: behind everything but comments and a semicolon. */
export function endOf(query: ResolvedQuery): { readonly start: number; readonly end: number } {
  const end = query.shape.blocks[0]?.span.end ?? query.shape.statement.end;
  return { start: end, end };
}
