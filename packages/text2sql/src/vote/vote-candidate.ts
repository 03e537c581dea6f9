import type { ComparableResult } from '@askema/core';
import { type ImplausibleReason, implausibleReasons, resultProfile } from './result-profile.ts';
import type { VoteFactors, VoteRules } from './vote-options.ts';

/** What a result and its statement look like beside what was asked for. Undefined where that is open. */
export interface CandidateConformity {
  /** The number of rows. */
  readonly rows?: boolean | undefined;
  /** Number and kind of the columns. */
  readonly columns?: boolean | undefined;
  /** False for a LIMIT that the question does not ask for. */
  readonly limit?: boolean | undefined;
  /** The share of the question's literals that the statement uses, in [0, 1]. */
  readonly literals?: number | undefined;
}

/** What one thread brings to a vote. */
export interface VoteCandidate {
  /** Unique among the candidates of a vote. */
  readonly id: string;
  readonly sql: string;
  /** The whole result, never a view of it. Undefined when the thread ended without one. */
  readonly result: ComparableResult | undefined;
  readonly conformity?: CandidateConformity | undefined;
  /** How its thread ended. What is not known counts neither for nor against it. */
  readonly ending?:
    | {
        /** The same answer came as often as the thread asked for. */
        readonly selfConsistent?: boolean | undefined;
        /** Statements the thread executed before it ended. */
        readonly iterations?: number | undefined;
        /** Statements among them that failed. */
        readonly repairs?: number | undefined;
        /** What the model said of the result when it saw it. */
        readonly judgedPlausible?: boolean | undefined;
      }
    | undefined;
}

/** What speaks against a candidate, besides what its result looks like. */
export type VoteDoubt =
  | ImplausibleReason
  | 'no-result'
  | 'wrong-rows'
  | 'wrong-columns'
  | 'unasked-limit'
  | 'missing-literals'
  | 'judged-implausible';

/**
 * A candidate with the worth of its vote. Depends on this candidate alone, so that later candidates never change it.
 */
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
