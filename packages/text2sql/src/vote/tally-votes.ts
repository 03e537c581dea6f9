import { type WeighedCandidate, weighCandidate } from './candidate-weight.ts';
import { clusterCandidates } from './cluster-candidates.ts';
import { type Closeness, clusterCloseness, type SupportedCluster, supportClusters } from './cluster-support.ts';
import type { VoteCandidate } from './vote-candidate.ts';
import type { VoteRules } from './vote-options.ts';

/** The state of a vote: who counts, and what each cluster is worth. */
export interface Tally {
  readonly weighed: readonly WeighedCandidate[];
  /** In order of their first members. */
  readonly clusters: readonly SupportedCluster[];
  readonly closeness: Closeness;
  /** True when only excluded results are there, and count after all. */
  readonly onlyExcluded: boolean;
}

/** Weighs the candidates, puts those that agree together, and adds up. Candidates stand in order of arrival. */
export function tallyVotes(candidates: readonly VoteCandidate[], rules: VoteRules): Tally {
  const weighed = candidates.map((candidate) => weighCandidate(candidate, rules));
  const plausible = weighed.filter(({ isExcluded }) => !isExcluded);
  const onlyExcluded = plausible.length === 0;
  const counted = onlyExcluded && rules.whenAllExcluded === 'count-all' ? weighed : plausible;
  const clusters = clusterCandidates(counted, rules);
  const closeness = clusterCloseness(clusters, rules);
  return { weighed, clusters: supportClusters(clusters, closeness, rules), closeness, onlyExcluded };
}
