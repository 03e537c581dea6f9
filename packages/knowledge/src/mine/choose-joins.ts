import type { Catalog, RelationId } from '@askema/core';
import { type Evidence, isEnough } from './evidence.ts';
import type { GatheredFacts, GatheredJoin } from './gather-facts.ts';
import type { MineLimits } from './logged-statement.ts';
import type { Sides } from './sides.ts';
import type { UsedColumn } from './statement-reader.ts';

/** A join from many to one. */
export interface ChosenJoin {
  readonly from: RelationId;
  readonly to: RelationId;
  readonly pairs: readonly { readonly from: UsedColumn; readonly to: UsedColumn }[];
  readonly isOneToOne: boolean;
  readonly remark?: string | undefined;
  readonly evidence: Evidence;
}

/** One statement may join what nobody else does, however often it runs. */
const LEAST_SHAPES = 2;

/** Joins on columns of one type, one side of which finds one row, that stand in different statements. */
export function chooseJoins(
  { joins }: GatheredFacts,
  catalog: Catalog,
  sides: Sides,
  limits: MineLimits,
): readonly ChosenJoin[] {
  return [...joins.values()].flatMap((join): ChosenJoin[] => {
    const { evidence, columns, relations } = join;
    if (!isEnough(evidence, limits) || evidence.shapes.size < LEAST_SHAPES) return [];
    if (columns.some(([a, b]) => a.bound.type !== b.bound.type)) return [];
    if (relations[0] === relations[1] && columns.every(([a, b]) => a.name === b.name)) return [];
    return directed(join, catalog, sides);
  });
}

function directed({ relations, columns, evidence }: GatheredJoin, catalog: Catalog, sides: Sides): ChosenJoin[] {
  const [a, b] = relations;
  const onA = sides(
    a,
    columns.map(([column]) => column.bound.column),
  );
  const onB = sides(
    b,
    columns.map(([, column]) => column.bound.column),
  );
  if (onA === 'no' && onB === 'no') return [];
  const isTurned = onB === 'no' || (onA === 'yes' && onB === 'by name') || (onA === onB && isSmaller(a, b, catalog));
  const isOneToOne = onA === 'yes' && onB === 'yes';
  const isSure = isTurned ? onA === 'yes' : onB === 'yes';
  return [
    {
      from: isTurned ? b : a,
      to: isTurned ? a : b,
      pairs: columns.map(([left, right]) => (isTurned ? { from: right, to: left } : { from: left, to: right })),
      isOneToOne,
      ...(!isSure && { remark: 'no key says which side has one row' }),
      evidence,
    },
  ];
}

function isSmaller(a: RelationId, b: RelationId, { relations }: Catalog): boolean {
  return (relations[a]?.rowCount ?? 0) > 0 && (relations[a]?.rowCount ?? 0) < (relations[b]?.rowCount ?? 0);
}
