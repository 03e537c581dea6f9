import type { RelationId } from '@askema/core';
import type { Expression } from '../expression/expression.ts';
import { ConditionShares } from './condition-shares.ts';
import { type Evidence, isEnough, shareOf, together } from './evidence.ts';
import { type AggregateUse, computesWithValue, type GatheredCondition, type GatheredFacts } from './gather-facts.ts';
import type { MineLimits } from './logged-statement.ts';
import { isPeriod } from './period.ts';

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
  /** The same of values in what is computed. */
  readonly mayShowIn: (expression: Expression, evidence: Evidence) => boolean;
  /** Filters whose values may not. */
  readonly withheld: number;
}

/** What else is known of the values of a condition. */
export interface KnownValues {
  /** The knowledge lists them for the field. */
  readonly isListed: (condition: GatheredCondition) => boolean;
  /** Nobody is to see values of the column. */
  readonly isMasked: (expression: Expression) => boolean;
}

export function chooseConditions(
  facts: GatheredFacts,
  limits: MineLimits,
  { isListed, isMasked }: KnownValues,
): ChosenConditions {
  const byColumn = Map.groupBy(facts.conditions.values(), ({ columns }) => columns.join());
  const isTest = ({ expression }: GatheredCondition): boolean => expression.kind === 'test';
  const isShared = ({ users }: Evidence): boolean => users.size >= Math.max(2, limits.minUsers);
  const mayShow = (condition: GatheredCondition): boolean => {
    const hasValue = condition.values.length > 0;
    if (hasValue && isMasked(condition.expression)) return false;
    if (!hasValue || limits.values || isListed(condition)) return true;
    // Codes are few, in however many lists they stand.
    const codes = new Set(byColumn.get(condition.columns.join())?.flatMap(({ values }) => values));
    return isShared(condition.evidence) && codes.size <= MAX_CODES;
  };
  // With one aggregate only, it belongs to that.
  const all = [...facts.conditions.values()].filter(
    (one) => isEnough(one.evidence, limits) && aggregatesWith(one, facts) > 1,
  );
  const common = commonAggregates(facts, limits);
  const always = all.filter(({ text, relation, ofBase }) => {
    const about = facts.about.get(relation);
    if (about === undefined || about.count < LEAST_ABOUT || !isMost(ofBase, about, IN_MOST)) return false;
    return (common.get(relation)?.of(text) ?? 0) >= ALWAYS;
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
    mayShowIn: (expression, evidence) =>
      !computesWithValue(expression) || (!isMasked(expression) && (limits.values || isShared(evidence))),
  };
}

/** Of aggregates that are asked for often enough, by relation: what somebody tried once says nothing. */
function commonAggregates({ aggregates }: GatheredFacts, limits: MineLimits): Map<RelationId, ConditionShares> {
  const common = new Map<RelationId, AggregateUse[]>();
  for (const { relation, uses } of aggregates.values())
    if (isEnough(together([...uses.values()].map(({ evidence }) => evidence)), limits))
      common.set(relation, [...(common.get(relation) ?? []), ...uses.values()]);
  return new Map([...common].map(([relation, uses]) => [relation, new ConditionShares(uses)]));
}

function isMost(part: Evidence, whole: Evidence, share: number): boolean {
  return shareOf(part, whole) >= share;
}

/** Of one column with many values: all of them if none is the usual one, or else those that are rare beside it. */
function cutsOf(
  same: readonly GatheredCondition[],
  isAlways: (condition: GatheredCondition) => boolean,
): readonly GatheredCondition[] {
  if (same.length < MANY_VALUES) return [];
  const isBelow = (share: number, conditions: readonly GatheredCondition[]) => {
    const all = together(conditions.map(({ evidence }) => evidence));
    return ({ evidence }: GatheredCondition): boolean => shareOf(evidence, all) < share;
  };
  if (same.every(isBelow(USUAL, same))) return same;
  const others = same.filter((one) => !isAlways(one));
  return others.filter(isBelow(STANDS_OUT, others));
}

function aggregatesWith({ text }: GatheredCondition, { aggregates }: GatheredFacts): number {
  const found = [...aggregates.values()].filter(({ uses }) =>
    [...uses.values()].some(({ conditions }) => conditions.includes(text)),
  );
  return found.length;
}
