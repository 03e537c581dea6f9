import type { RelationId } from '@askema/core';
import { type Evidence, isEnough } from './evidence.ts';
import type { AggregateUse, GatheredCondition, GatheredFacts } from './gather-facts.ts';
import type { MineLimits } from './logged-statement.ts';
import { isPeriod } from './period.ts';
import { shareOfUses, together } from './uses.ts';

/** It stands in so many uses of the numbers that are asked for again and again, and in most statements: it always holds. */
const ALWAYS = 0.8;
const IN_MOST = 0.7;
/** As few statements say nothing about always. */
const LEAST_ABOUT = 10;
/** It stands in so many of the statements that read its relation: somebody has a name for it. */
const COMMON = 0.05;
/** A column that is compared with so many values, none of them in most cases, is what people cut numbers by. */
const MANY_VALUES = 3;
const USUAL = 0.6;
/** Beside a usual one, a value that stands in less of the other comparisons is one of those that come and go. */
const STANDS_OUT = 0.2;
/** A column with more values than that holds no codes. */
const MAX_CODES = 20;

/** What conditions are, by how they are used. */
export interface ChosenConditions {
  /** Those that always hold, by relation. */
  readonly always: readonly GatheredCondition[];
  /** Those that are common, and that stand with more than one aggregate. */
  readonly named: readonly GatheredCondition[];
  /** Whether its values may stand in a proposal. */
  readonly mayShow: (text: string) => boolean;
  /** Filters whose values may not. */
  readonly withheld: number;
}

/** What else is known of the values of a condition. */
export interface KnownValues {
  /** The knowledge lists them for the field. */
  readonly isListed: (condition: GatheredCondition) => boolean;
  /** Nobody is to see values of the column. */
  readonly isMasked: (condition: GatheredCondition) => boolean;
}

export function chooseConditions(
  facts: GatheredFacts,
  limits: MineLimits,
  { isListed, isMasked }: KnownValues,
): ChosenConditions {
  const byColumn = Map.groupBy(facts.conditions.values(), ({ columns }) => columns.join());
  const isTest = ({ expression }: GatheredCondition): boolean => expression.kind === 'test';
  const mayShow = (condition: GatheredCondition): boolean => {
    const hasValue = condition.values.length > 0;
    if (hasValue && isMasked(condition)) return false;
    if (!hasValue || limits.values || isListed(condition)) return true;
    // Codes are few, in however many lists they stand.
    const codes = new Set(byColumn.get(condition.columns.join())?.flatMap(({ values }) => values));
    return condition.evidence.users.size >= Math.max(2, limits.minUsers) && codes.size <= MAX_CODES;
  };
  // With one aggregate only, it belongs to that.
  const all = [...facts.conditions.values()].filter(
    (one) => isEnough(one.evidence, limits) && aggregatesWith(one, facts) > 1,
  );
  const common = commonAggregates(facts, limits);
  const always = all.filter(({ text, relation, ofBase }) => {
    const about = facts.about.get(relation);
    if (about === undefined || about.count < LEAST_ABOUT || !isMost(ofBase, about, IN_MOST)) return false;
    return shareOfUses(text, common.get(relation) ?? []) >= ALWAYS;
  });
  const isAlways = (one: GatheredCondition): boolean => always.includes(one);
  const cuts = new Set(
    [...byColumn.values()].flatMap((same) =>
      cutsOf(
        same.filter((one) => !isTest(one)),
        isAlways,
      ),
    ),
  );
  const named = all.filter((one) => {
    const reads = facts.reads.get(one.relation);
    return (
      !isAlways(one) &&
      !cuts.has(one) &&
      !isPeriod(one.expression) &&
      one.evidence.count >= 2 * limits.minCount &&
      reads !== undefined &&
      isMost(one.evidence, reads, COMMON)
    );
  });
  const find = (text: string): GatheredCondition | undefined => facts.conditions.get(text);
  const shown = [...always, ...named].filter(mayShow);
  return {
    withheld: always.length + named.length - shown.length,
    always: always.filter(mayShow),
    named: named.filter(mayShow),
    mayShow: (text) => {
      const found = find(text);
      return found !== undefined && mayShow(found);
    },
  };
}

/** Uses of aggregates that are asked for often enough, by relation: what somebody tried once says nothing. */
function commonAggregates({ aggregates }: GatheredFacts, limits: MineLimits): Map<RelationId, AggregateUse[]> {
  const common = new Map<RelationId, AggregateUse[]>();
  for (const { relation, uses } of aggregates.values())
    if (isEnough(together(uses.values()), limits))
      common.set(relation, [...(common.get(relation) ?? []), ...uses.values()]);
  return common;
}

function isMost(part: Evidence, whole: Evidence, share: number): boolean {
  return part.count >= share * whole.count;
}

/** Of one column with many values: all of them if none is the usual one, or else those that are rare beside it. */
function cutsOf(
  same: readonly GatheredCondition[],
  isAlways: (condition: GatheredCondition) => boolean,
): readonly GatheredCondition[] {
  const runs = (conditions: readonly GatheredCondition[]): number =>
    conditions.reduce((sum, { evidence }) => sum + evidence.count, 0);
  if (same.length < MANY_VALUES) return [];
  if (same.every(({ evidence }) => evidence.count < USUAL * runs(same))) return same;
  const others = same.filter((one) => !isAlways(one));
  return others.filter(({ evidence }) => evidence.count < STANDS_OUT * runs(others));
}

function aggregatesWith({ text }: GatheredCondition, { aggregates }: GatheredFacts): number {
  const found = [...aggregates.values()].filter(({ uses }) =>
    [...uses.values()].some(({ conditions }) => conditions.includes(text)),
  );
  return found.length;
}
