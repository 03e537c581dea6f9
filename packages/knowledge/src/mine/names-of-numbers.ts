import type { GatheredAggregate, GatheredFacts } from './gather-facts.ts';
import { runsOf } from './uses.ts';

/** What names one number in less of its uses, or so many numbers, names none: `total`, `n`. */
const MOSTLY = 0.6;
const MANY_NUMBERS = 3;

/** Whose name an alias is. */
export interface NamesOfNumbers {
  readonly isName: (alias: string, of: GatheredAggregate) => boolean;
  /** It is that of another number about the same rows: whoever calls this one so copied a wrong formula. */
  readonly isOfAnother: (alias: string, of: GatheredAggregate) => boolean;
}

export function namesOfNumbers({ aggregates }: GatheredFacts): NamesOfNumbers {
  const byAlias = new Map<string, Map<GatheredAggregate, number>>();
  for (const aggregate of aggregates.values())
    for (const [alias, same] of Map.groupBy(aggregate.uses.values(), (use) => use.alias)) {
      if (alias === undefined) continue;
      const runs = byAlias.get(alias) ?? new Map<GatheredAggregate, number>();
      byAlias.set(alias, runs.set(aggregate, runsOf(same)));
    }
  const ownerOf = (alias: string): GatheredAggregate | undefined => {
    const runs = [...(byAlias.get(alias) ?? [])];
    const all = runs.reduce((sum, [, count]) => sum + count, 0);
    return runs.find(([, count]) => count >= MOSTLY * all)?.[0];
  };
  return {
    isName: (alias, of) => ownerOf(alias) === of && (byAlias.get(alias)?.size ?? 0) < MANY_NUMBERS,
    isOfAnother: (alias, of) => {
      const owner = ownerOf(alias);
      return owner !== undefined && owner !== of && owner.relation === of.relation;
    },
  };
}
