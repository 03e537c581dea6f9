import type { AggregateUse } from './gather-facts.ts';
import { runsOf } from './uses.ts';

/** So many of the uses under a name, so it is part of what the name says. */
const NEARLY_ALL = 0.8;
/** A column that is held against so many values, none of them in most cases, is what people cut a number by. */
const MANY_VALUES = 3;
const USUAL = 0.6;

/**
 * Uses of an aggregate under names that nearly always stand with a condition on one column, while none of these
 * conditions is chosen: without any, the number is not what the name says. Uses without a name go with them where they
 * have such a condition.
 */
export function unsettledUses(
  uses: readonly AggregateUse[],
  columnOf: (condition: string) => string | undefined,
  isChosen: (condition: string) => boolean,
): ReadonlySet<AggregateUse> {
  const found = new Set<AggregateUse>();
  for (const [alias, same] of Map.groupBy(uses, (use) => use.alias)) {
    if (alias === undefined) continue;
    const conditions = [...new Set(same.flatMap((use) => use.conditions))];
    for (const [column, texts] of Map.groupBy(conditions, columnOf)) {
      if (column === undefined || texts.some(isChosen)) continue;
      const having = (text: string): number => runsOf(same.filter((use) => use.conditions.includes(text)));
      const isOfThem = (use: AggregateUse): boolean => use.conditions.some((one) => texts.includes(one));
      const runs = runsOf(same.filter(isOfThem));
      const isCut = texts.length >= MANY_VALUES && texts.every((text) => having(text) < USUAL * runs);
      if (isCut || runs < NEARLY_ALL * runsOf(same)) continue;
      for (const use of uses) if (use.alias === alias || (use.alias === undefined && isOfThem(use))) found.add(use);
    }
  }
  return found;
}
