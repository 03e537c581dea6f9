import { SCORE_EPSILON } from './break-tie.ts';
import type { Tally } from './tally-votes.ts';
import { tallyVotes } from './tally-votes.ts';
import type { VoteCandidate } from './vote-candidate.ts';
import { type VoteOptions, type VoteRules, voteRules } from './vote-options.ts';

/**
 * True when no outcome of the threads that still run could change the winner, so that they may be ended. `candidates` are those of the
 * threads that have ended, in order of arrival, `total` counts all threads. Never true while nothing leads.
 *
 * Let W lead, V be the votes of clusters, p the closeness of two of them, λ the rules' `partialSupport` (≤ 1/2), and r the threads left,
 * each worth one vote at most. What W keeps in front of another cluster d that is there already is at least
 * `support(W) − support(d) − r·max(1 − λ·p(W,d), λ)`; in front of one that is not there yet, and that may be close to all others, at
 * least `(V(W) − r)·(1 − λ·q) − λ·Σ V(e)·(1 − p(W,e))` over the other clusters e, for the worse of q = 0 and q = 1. Both must be positive.
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
