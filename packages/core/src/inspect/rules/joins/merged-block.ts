import type { QueryShape } from '../../../ports/query-shape.ts';

/** True for an operand of a set operation that drops repeated rows: UNION, INTERSECT, EXCEPT without ALL. */
export function isMerged(shape: QueryShape, block: number): boolean {
  return shape.blocks.some(
    ({ setOperation }) =>
      setOperation?.operands.includes(block) === true && setOperation.operators.some(({ all }) => !all),
  );
}
