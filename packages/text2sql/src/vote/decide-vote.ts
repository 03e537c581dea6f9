import { breakTie, SCORE_EPSILON } from './break-tie.ts';
import { type SupportedCluster, type Tally, tallyVotes } from './cluster-candidates.ts';
import type { VoteCandidate, VoteDoubt } from './vote-candidate.ts';
import { type TieBreak, type VoteOptions, type VoteRules, voteRules } from './vote-options.ts';

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
 * Decides between the results of several threads by what they agree on. A pure function: equal candidates in equal
 * order give an equal decision, and where agreement does not chain within the tolerance, their order does not matter.
 *
 * @throws AskemaError `CONFIG_INVALID` for rules out of range.
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

/**
 * True when no outcome of the threads that still run could change the winner, so that they may be ended. `candidates`
 * are those of the threads that have ended, in order of arrival, `total` counts all threads. Never true while nothing
 * leads.
 *
 * Let W lead, V be the votes of clusters, p the closeness of two of them, λ the rules' `partialSupport` (≤ 1/2), and r
 * the threads left, each worth one vote at most. What W keeps in front of another cluster d that is there already is at
 * least `support(W) − support(d) − r·max(1 − λ·p(W,d), λ)`; in front of one that is not there yet, and that may be
 * close to all others, at least `(V(W) − r)·(1 − λ·q) − λ·Σ V(e)·(1 − p(W,e))` over the other clusters e, for the worse
 * of q = 0 and q = 1. Both must be positive.
 */
export function enoughVotes(candidates: readonly VoteCandidate[], total: number, options: VoteOptions = {}): boolean {
  const rules = voteRules(options);
  const remaining = total - candidates.length;
  if (remaining <= 0) return true;
  const tally = tallyVotes(candidates, rules);
  return !tally.onlyExcluded && leastLead(tally, remaining, rules) > SCORE_EPSILON;
}

function leastLead({ clusters, closeness }: Tally, remaining: number, rules: VoteRules): number {
  const share = rules.partialSupport;
  const supports = clusters.map(({ support }) => support);
  const leader = supports.indexOf(Math.max(...supports));
  const winner = clusters[leader];
  if (winner === undefined) return Number.NEGATIVE_INFINITY;
  const closeTo = (other: number): number => closeness[leader]?.[other] ?? 0;
  const leads = clusters.flatMap(({ support }, other) =>
    other === leader ? [] : [winner.support - support - remaining * Math.max(1 - share * closeTo(other), share)],
  );
  const lost = clusters.reduce(
    (sum, { votes }, other) => sum + (other === leader ? 0 : votes * (1 - closeTo(other))),
    0,
  );
  const own = winner.votes - remaining;
  return Math.min(...leads, own - share * lost, own * (1 - share) - share * lost);
}

/** What the confidence of a vote is made of. */
export interface ConfidenceInput {
  /** Weighted votes of the winner. */
  readonly votes: number;
  /** With partial agreement. */
  readonly support: number;
  /** The support of the second. */
  readonly rival: number;
  /** All threads, also those without an answer. */
  readonly threads: number;
}

/**
 * How far a vote is to be trusted, in [0, 1]:
 *
 * agreement  = (votes + support) / 2 / (threads + 1) lead       = (support − rival) / support confidence = agreement ×
 * (1 + lead) / 2
 *
 * One more than the number of threads, so that a single answer is not certain (Laplace's rule of succession): 3 of 3
 * give 0.75, 8 of 8 0.89, 1 of 1 0.5. Threads without an answer and doubts that lower the weight of votes lower it;
 * partial agreement raises it half as much as whole agreement. It ranks decisions; it is no measured probability of
 * being right.
 */
export function voteConfidence({ votes, support, rival, threads }: ConfidenceInput): number {
  if (support <= 0 || threads <= 0) return 0;
  const agreement = (votes + support) / 2 / (threads + 1);
  const lead = Math.max(0, support - rival) / support;
  return Math.min(1, Math.max(0, (agreement * (1 + lead)) / 2));
}
