import type { Catalog, RelationId } from '@askema/core';
import { type Evidence, isEnough, shareOf, together } from './evidence.ts';
import type { GatheredFacts, GatheredJoin } from './gather-facts.ts';
import type { MineLimits } from './logged-statement.ts';
import { isNamedAsKey, type Sides } from './sides.ts';
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

/** Where names do not say why, so many times the runs are enough; more where both are keys, which count each by itself. */
const UNNAMED = 2;
const UNNAMED_KEYS = 4;
/** With less of the runs of two joins than that, one on columns of other names is a mistake for the other. */
const RARE = 1 / 4;

/**
 * Joins on columns of one type, one side of which finds one row, that stand in different statements. A column leads to
 * one relation, and to each relation by a column for it: what rarely leads elsewhere is left out, unless names say why.
 */
export function chooseJoins(
  { joins }: GatheredFacts,
  catalog: Catalog,
  sides: Sides,
  limits: MineLimits,
): readonly ChosenJoin[] {
  const chosen = [...joins.values()].flatMap((join): ChosenJoin[] => {
    const { evidence, columns, relations } = join;
    if (!isEnough(evidence, limits) || evidence.shapes.size < LEAST_SHAPES) return [];
    if (columns.some(([a, b]) => a.bound.type !== b.bound.type)) return [];
    if (relations[0] === relations[1] && columns.every(([a, b]) => a.name === b.name)) return [];
    return directed(join, catalog, sides).filter((one) => !isChance(one, catalog, limits));
  });
  return chosen.filter((one) => !chosen.some((other) => isMistakenFor(one, other, sides)));
}

function isChance(join: ChosenJoin, catalog: Catalog, { minCount }: MineLimits): boolean {
  if (join.evidence.count >= UNNAMED_KEYS * minCount) return false;
  if (join.evidence.count >= UNNAMED * minCount && !join.isOneToOne) return false;
  return !join.pairs.every((pair) => isOfOneName(pair) || isCalledAfter(pair, join, catalog));
}

/** `orders.customer_id = customers.id`, `quotes.bound_policy_id = policies.policy_id`. */
function isCalledAfter({ from, to }: ChosenJoin['pairs'][number], join: ChosenJoin, { relations }: Catalog): boolean {
  const [near, far] = [from.name.toLowerCase(), to.name.toLowerCase()];
  const isOf = (column: string, table: RelationId): boolean =>
    column !== 'id' && isNamedAsKey(column, relations[table]?.nameParts.relation ?? '');
  return isOf(near, join.to) || isOf(far, join.from) || near.endsWith(`_${far}`) || far.endsWith(`_${near}`);
}

/** It is rare, and leads a column elsewhere than the other does, or a key to where another column leads. */
function isMistakenFor(one: ChosenJoin, other: ChosenJoin, sides: Sides): boolean {
  if (one === other || one.pairs.every(isOfOneName)) return false;
  const columns = ({ pairs }: ChosenJoin): string => pairs.map(({ from }) => from.bound.column).join('\n');
  if (one.from === other.from && columns(one) === columns(other)) return isRarer(one, other);
  const isSamePair =
    (one.from === other.from && one.to === other.to) || (one.from === other.to && one.to === other.from);
  const key = one.pairs.map(({ from }) => from.bound.column);
  return isSamePair && sides(one.from, key) === 'yes' && isRarer(one, other);
}

function isRarer(one: ChosenJoin, other: ChosenJoin): boolean {
  return shareOf(one.evidence, together([one.evidence, other.evidence])) < RARE;
}

function isOfOneName({ from, to }: ChosenJoin['pairs'][number]): boolean {
  return from.name.toLowerCase() === to.name.toLowerCase();
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
