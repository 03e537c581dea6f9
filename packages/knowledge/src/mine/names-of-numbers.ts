import { addEvidence, type Evidence, evidenceOf, shareOf, together } from './evidence.ts';
import type { AggregateUse, GatheredAggregate, GatheredFacts } from './gather-facts.ts';
import type { MineLimits } from './logged-statement.ts';

/** What names one number in less of its uses, or so many numbers, names none: `total`, `n`. */
const MOSTLY = 0.6;
const MANY_NUMBERS = 3;

/** Whose name an alias is. */
export interface NamesOfNumbers {
  readonly isName: (alias: string, of: GatheredAggregate) => boolean;
  /** It is that of another number about the same rows: whoever calls this one so copied a wrong formula. */
  readonly isOfAnother: (alias: string, of: GatheredAggregate) => boolean;
}

export function namesOfNumbers({ aggregates }: GatheredFacts, { minUsers }: MineLimits): NamesOfNumbers {
  const numbers = [...aggregates.values()].flatMap((aggregate) =>
    [...byAlias(aggregate.uses.values())].map(([alias, evidence]) => ({ alias, evidence, aggregate })),
  );
  const owners = new Map<string, { readonly owner: GatheredAggregate | undefined; readonly isOfMany: boolean }>();
  for (const [alias, same] of Map.groupBy(numbers, (one) => one.alias)) {
    const all = together(same.map(({ evidence }) => evidence));
    // What one user alone calls so takes no name from the others.
    const usual = same.filter(({ evidence }) => evidence.users.size >= Math.min(minUsers, all.users.size));
    const owner = same.find(({ evidence }) => shareOf(evidence, all) >= MOSTLY)?.aggregate;
    owners.set(alias, { owner, isOfMany: usual.length >= MANY_NUMBERS });
  }
  return {
    isName: (alias, of) => owners.get(alias)?.owner === of && owners.get(alias)?.isOfMany === false,
    isOfAnother: (alias, of) => {
      const owner = owners.get(alias)?.owner;
      return owner !== undefined && owner !== of && owner.relation === of.relation;
    },
  };
}

function byAlias(uses: Iterable<AggregateUse>): ReadonlyMap<string, Evidence> {
  const named = new Map<string, Evidence>();
  for (const { alias, evidence } of uses) if (alias !== undefined) addEvidence(evidenceOf(named, alias), evidence);
  return named;
}
