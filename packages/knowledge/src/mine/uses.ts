import { addEvidence, type Evidence, noEvidence } from './evidence.ts';
import type { AggregateUse } from './gather-facts.ts';

export function together(uses: Iterable<AggregateUse>): Evidence {
  const all = noEvidence();
  for (const { evidence } of uses) addEvidence(all, evidence);
  return all;
}

/** In how much of the uses of an aggregate a condition stands, from 0 to 1. */
export function shareOfUses(condition: string, uses: readonly AggregateUse[]): number {
  let all = 0;
  let having = 0;
  for (const { conditions, evidence } of uses) {
    all += evidence.count;
    if (conditions.includes(condition)) having += evidence.count;
  }
  return all === 0 ? 0 : having / all;
}

export function runsOf(uses: Iterable<AggregateUse>): number {
  let runs = 0;
  for (const { evidence } of uses) runs += evidence.count;
  return runs;
}
