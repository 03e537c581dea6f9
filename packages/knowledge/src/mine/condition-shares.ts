import { addEvidence, type Evidence, evidenceOf, noEvidence, runsOfAll, shareOf, together } from './evidence.ts';
import type { AggregateUse } from './gather-facts.ts';

/** A condition that stands in so many uses belongs to what is used. */
export const BELONGS = 0.8;
/** With fewer uses than that, in all of them. */
const SAFE = 8;

/** In how much of some uses each condition stands, added up once: a log may have as many conditions as statements. */
export class ConditionShares {
  readonly whole: Evidence = noEvidence();
  readonly #having = new Map<string, Evidence>();

  constructor(uses: Iterable<AggregateUse>) {
    for (const { conditions, evidence } of uses) {
      addEvidence(this.whole, evidence);
      for (const condition of conditions) addEvidence(evidenceOf(this.#having, condition), evidence);
    }
  }

  get conditions(): readonly string[] {
    return [...this.#having.keys()];
  }

  of(condition: string): number {
    return shareOf(this.having(condition), this.whole);
  }

  having(condition: string): Evidence {
    return this.#having.get(condition) ?? noEvidence();
  }
}

/** Whether a condition belongs to all uses of some groups together. */
export function belongs(condition: string, groups: readonly ConditionShares[]): boolean {
  const whole = together(groups.map((group) => group.whole));
  const having = together(groups.map((group) => group.having(condition)));
  return shareOf(having, whole) >= (runsOfAll(whole) < SAFE ? 1 : BELONGS);
}
