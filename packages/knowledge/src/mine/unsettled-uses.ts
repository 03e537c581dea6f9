import { ConditionShares } from './condition-shares.ts';
import { shareOf, together } from './evidence.ts';
import type { AggregateUse } from './gather-facts.ts';

/** So many of the uses under a name, so it is part of what the name says. */
const NEARLY_ALL = 0.8;
/** A column that is held against so many values, none of them in most cases, is what people cut a number by. */
const MANY_VALUES = 3;
const USUAL = 0.6;

interface Conditions {
  readonly columnOf: (condition: string) => string | undefined;
  readonly isChosen: (condition: string) => boolean;
}

/**
 * Uses of an aggregate under names that nearly always stand with a condition on one column, while none of these
 * conditions is chosen: without any, the number is not what the name says. Uses without a name go with them where they
 * have such a condition, and it is not one user alone who calls it so.
 */
export function unsettledUses(
  uses: readonly AggregateUse[],
  conditions: Conditions,
  minUsers: number,
): ReadonlySet<AggregateUse> {
  const found = new Set<AggregateUse>();
  const unsettled = new Set<string>();
  const byName = Map.groupBy(uses, (use) => use.alias);
  const unnamed = byName.get(undefined) ?? [];
  byName.delete(undefined);
  const users = together(uses.map(({ evidence }) => evidence)).users.size;
  for (const same of byName.values()) {
    const texts = unsettledConditions(same, conditions);
    if (texts.length === 0) continue;
    for (const use of same) found.add(use);
    const said = together(same.map(({ evidence }) => evidence)).users.size;
    if (said >= Math.min(minUsers, users)) for (const text of texts) unsettled.add(text);
  }
  for (const use of unnamed) if (use.conditions.some((one) => unsettled.has(one))) found.add(use);
  return found;
}

/** Of uses under one name. */
function unsettledConditions(same: readonly AggregateUse[], { columnOf, isChosen }: Conditions): readonly string[] {
  const whole = together(same.map(({ evidence }) => evidence));
  const byColumn = new Map<string, Set<AggregateUse>>();
  for (const use of same)
    for (const column of new Set(use.conditions.map(columnOf)))
      if (column !== undefined) byColumn.set(column, (byColumn.get(column) ?? new Set()).add(use));
  return [...byColumn].flatMap(([column, having]) => {
    const all = together([...having].map(({ evidence }) => evidence));
    if (shareOf(all, whole) < NEARLY_ALL) return [];
    const shares = new ConditionShares(having);
    const texts = shares.conditions.filter((text) => columnOf(text) === column);
    const isCut = texts.length >= MANY_VALUES && texts.every((text) => shares.of(text) < USUAL);
    return isCut || texts.some(isChosen) ? [] : texts;
  });
}
