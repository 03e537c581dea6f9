import { type ImplausibleReason, implausibleReasons, resultProfile } from '@askema/core';
import type { VoteCandidate } from './vote-candidate.ts';
import type { VoteFactors, VoteRules } from './vote-options.ts';

/** What speaks against a candidate, besides what its result looks like. */
export type VoteDoubt =
  | ImplausibleReason
  | 'no-result'
  | 'wrong-rows'
  | 'wrong-columns'
  | 'unasked-limit'
  | 'missing-literals'
  | 'judged-implausible';

/** A candidate with the worth of its vote. Depends on this candidate alone, so that later candidates never change it. */
export interface WeighedCandidate {
  readonly candidate: VoteCandidate;
  /** In [0, 1]. */
  readonly weight: number;
  readonly isExcluded: boolean;
  readonly doubts: readonly VoteDoubt[];
}

/** What the vote of a candidate is worth under some rules, and why it is worth less than 1. */
export function weighCandidate(candidate: VoteCandidate, rules: VoteRules): WeighedCandidate {
  if (candidate.result === undefined) return { candidate, weight: 0, isExcluded: true, doubts: ['no-result'] };
  const reasons = implausibleReasons(resultProfile(candidate.result));
  const { factors } = rules;
  let weight = Math.min(1, ...reasons.map((reason) => factors.implausible[reason] ?? 1));
  const others = otherDoubts(candidate);
  for (const doubt of others) weight *= factorOf(doubt, candidate, factors);
  const isExcluded = reasons.some((reason) => rules.excluded.includes(reason));
  return { candidate, weight, isExcluded, doubts: [...reasons, ...others] };
}

type OtherDoubt = Extract<
  VoteDoubt,
  'wrong-rows' | 'wrong-columns' | 'unasked-limit' | 'missing-literals' | 'judged-implausible'
>;

function otherDoubts({ conformity, ending }: VoteCandidate): readonly OtherDoubt[] {
  return [
    ...(conformity?.rows === false ? (['wrong-rows'] as const) : []),
    ...(conformity?.columns === false ? (['wrong-columns'] as const) : []),
    ...(conformity?.limit === false ? (['unasked-limit'] as const) : []),
    ...((conformity?.literals ?? 1) < 1 ? (['missing-literals'] as const) : []),
    ...(ending?.judgedPlausible === false ? (['judged-implausible'] as const) : []),
  ];
}

function factorOf(doubt: OtherDoubt, { conformity }: VoteCandidate, factors: VoteFactors): number {
  switch (doubt) {
    case 'wrong-rows':
      return factors.wrongRows;
    case 'wrong-columns':
      return factors.wrongColumns;
    case 'unasked-limit':
      return factors.unaskedLimit;
    case 'missing-literals':
      return 1 - (1 - factors.missingLiterals) * (1 - (conformity?.literals ?? 1));
    case 'judged-implausible':
      return factors.judgedImplausible;
  }
}
