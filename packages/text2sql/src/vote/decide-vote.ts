import { breakTie, SCORE_EPSILON } from './break-tie.ts';
import type { VoteDoubt } from './candidate-weight.ts';
import type { SupportedCluster } from './cluster-support.ts';
import { tallyVotes } from './tally-votes.ts';
import type { VoteCandidate } from './vote-candidate.ts';
import { voteConfidence } from './vote-confidence.ts';
import { type TieBreak, type VoteOptions, voteRules } from './vote-options.ts';

/** Why a vote ended as it did. */
export type VoteReason =
  /** All threads agree; more than half of them; fewer, but more than agree on anything else. */
  | 'unanimous'
  | 'majority'
  | 'plurality'
  /** Only partial agreement with other clusters put the winner in front. */
  | 'partial-agreement'
  /** A tie-break settled it. */
  | TieBreak
  /** Nothing separates the best clusters. */
  | 'tied'
  /** No candidate has a result that may win. */
  | 'no-candidate'
  /** Results that are excluded otherwise had their vote, because there are no others. */
  | 'only-excluded'
  /** What speaks against the winner. */
  | VoteDoubt;

/** A cluster of a decision, by the ids of its candidates. */
export interface VoteCluster {
  /** The first is the one whose result stands for the cluster. */
  readonly members: readonly string[];
  /** Weighted votes of its members. */
  readonly votes: number;
  /** With what partial agreement of other clusters adds. */
  readonly support: number;
}

/** The outcome of a vote. */
export interface VoteDecision {
  /** `tie`: several clusters are equally good. `none`: there is nothing to choose from. */
  readonly decision: 'decided' | 'tie' | 'none';
  /** Id of a candidate; only when `decided`. */
  readonly winner?: string | undefined;
  /** Ids of one candidate of each tied cluster; only for a `tie`. */
  readonly tied: readonly string[];
  /** Best first. */
  readonly clusters: readonly VoteCluster[];
  /** Of the best cluster. */
  readonly support: number;
  /** Its lead over the second, in votes. */
  readonly margin: number;
  /** In [0, 1]; 0 unless decided. */
  readonly confidence: number;
  /** The confidence reaches the rules' `sureFrom`. */
  readonly sure: boolean;
  readonly reasons: readonly VoteReason[];
}

/**
 * Decides between the results of several threads by what they agree on. A pure function: equal candidates in equal order give an equal
 * decision, and where agreement does not chain within the tolerance, their order does not matter.
 *
 * @throws AskemaError `INPUT_INVALID` for rules out of range.
 */
export function decideVote(candidates: readonly VoteCandidate[], options: VoteOptions = {}): VoteDecision {
  const rules = voteRules(options);
  const threads = Math.max(options.threads ?? 0, candidates.length);
  const tally = tallyVotes(candidates, rules);
  const ranked = [...tally.clusters].sort((a, b) => b.support - a.support);
  const [best] = ranked;
  if (best === undefined) return nothing();
  const equal = ranked.filter(({ support }) => support >= best.support - SCORE_EPSILON);
  const counted = tally.weighed.filter(({ candidate }) => candidate.result !== undefined);
  const { left, by } = breakTie(
    equal.map(({ cluster }) => cluster),
    counted.map(({ candidate }) => candidate),
    rules.tieBreaks,
  );
  const first = ranked.filter(({ cluster }) => left.includes(cluster));
  const winner = first.length === 1 ? first[0] : undefined;
  const order = [...first, ...ranked.filter((cluster) => !first.includes(cluster))];
  const margin = best.support - (order[1]?.support ?? 0);
  const shared = {
    clusters: order.map(named),
    support: best.support,
    margin: Math.max(0, margin),
  };
  if (winner === undefined) {
    const tied = first.map(({ cluster }) => cluster.members[0]?.candidate.id ?? '');
    return { decision: 'tie', tied, ...shared, confidence: 0, sure: false, reasons: ['tied'] };
  }
  const confidence = voteConfidence({
    votes: winner.votes,
    support: winner.support,
    rival: order[1]?.support ?? 0,
    threads,
  });
  const doubts = winner.cluster.members[0]?.doubts ?? [];
  return {
    decision: 'decided',
    winner: winner.cluster.members[0]?.candidate.id ?? '',
    tied: [],
    ...shared,
    confidence,
    sure: confidence >= rules.sureFrom,
    reasons: [
      by ?? howWon(winner, ranked, threads),
      ...(tally.onlyExcluded ? (['only-excluded'] as const) : []),
      ...doubts,
    ],
  };
}

function howWon(winner: SupportedCluster, ranked: readonly SupportedCluster[], threads: number): VoteReason {
  const rivals = ranked.filter((cluster) => cluster !== winner);
  if (rivals.some(({ votes }) => votes >= winner.votes - SCORE_EPSILON)) return 'partial-agreement';
  const members = winner.cluster.members.length;
  return members === threads ? 'unanimous' : members * 2 > threads ? 'majority' : 'plurality';
}

function named({ cluster, votes, support }: SupportedCluster): VoteCluster {
  return { members: cluster.members.map(({ candidate }) => candidate.id), votes, support };
}

function nothing(): VoteDecision {
  return {
    decision: 'none',
    tied: [],
    clusters: [],
    support: 0,
    margin: 0,
    confidence: 0,
    sure: false,
    reasons: ['no-candidate'],
  };
}
