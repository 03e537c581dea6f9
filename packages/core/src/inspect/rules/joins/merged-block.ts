import type { QueryShape } from '../../../ports/query-shape.ts';

/** True for an operand of a set operation that drops repeated rows: UNION, INTERSECT, EXCEPT without ALL. */
export function isMerged(shape: QueryShape, block: number): boolean {
  const parent = shape.blocks[block]?.parent;
  const around = parent === undefined ? undefined : shape.blocks[parent]?.setOperation;
  return around?.operands.includes(block) === true && around.operators.some(({ all }) => !all);
}
