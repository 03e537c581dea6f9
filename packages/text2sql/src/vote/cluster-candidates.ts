import {
  type ComparableResult,
  OFFICIAL_VOTE_TOLERANCE,
  type OfficialTable,
  officialTable,
  officialTablesAgree,
  type ResultRelation,
  relateResults,
  resultSignature,
  resultsAgree,
} from '@askema/core';
import { type VoteCandidate, type WeighedCandidate, weighCandidate } from './vote-candidate.ts';
import type { VoteRules } from './vote-options.ts';

/** Candidates whose results agree with that of the first of them. */
export interface CandidateCluster {
  readonly members: readonly WeighedCandidate[];
  readonly result: ComparableResult;
}

interface OpenCluster {
  readonly members: WeighedCandidate[];
  readonly result: ComparableResult;
  readonly signature: string;
  readonly official: OfficialTable | undefined;
}

/**
 * Clusters of candidates that agree. Agreement within a tolerance is not transitive, so each cluster is held together
 * by its first member: a candidate joins the first cluster whose first member it agrees with. In the order given, which
 * should be that of arrival, a later candidate never moves an earlier one.
 */
function clusterCandidates(candidates: readonly WeighedCandidate[], rules: VoteRules): readonly CandidateCluster[] {
  const clusters: OpenCluster[] = [];
  for (const weighed of candidates) {
    const { result } = weighed.candidate;
    if (result === undefined) continue;
    const signature = rules.key === 'strict' ? resultSignature(result) : '';
    const official = rules.key === 'official' ? officialTable(result) : undefined;
    const fresh: OpenCluster = { members: [weighed], result, signature, official };
    const home = clusters.find((cluster) => agree(cluster, fresh, rules));
    if (home === undefined) clusters.push(fresh);
    else home.members.push(weighed);
  }
  return clusters.map(({ members, result }) => ({ members, result }));
}

function agree(a: OpenCluster, b: OpenCluster, { key, tolerance }: VoteRules): boolean {
  if (a.signature !== b.signature) return false;
  if (a.official !== undefined && b.official !== undefined)
    return officialTablesAgree(a.official, b.official, tolerance ?? OFFICIAL_VOTE_TOLERANCE);
  return resultsAgree(a.result, b.result, { key, tolerance });
}

/** Clusters with what each is worth. */
export interface SupportedCluster {
  readonly cluster: CandidateCluster;
  /** Sum of the weights of its members. */
  readonly votes: number;
  /** `votes`, and what the votes of other clusters add by partial agreement. */
  readonly support: number;
}

/**
 * Cells of both results together, above which partial agreement is not looked for: it would cost more than it tells.
 */
export const MAX_RELATED_CELLS = 100_000;

/** How close two clusters are that do not agree, in [0, 1], for each pair; symmetric. */
type Closeness = readonly (readonly number[])[];

/**
 * What each relation is worth, as a share of {@link VoteRules.partialSupport}. Overlap counts by its square, half as
 * much at most.
 */
function closenessOf(relation: ResultRelation): number {
  switch (relation.type) {
    case 'equal':
    case 'other-form':
    case 'extra-columns':
      return 1;
    case 'repeated-rows':
      return 0.7;
    case 'overlap':
      return 0.5 * relation.overlap ** 2;
    case 'different':
      return 0;
  }
}

/**
 * Relates each pair of clusters by the results of their first members; all 0 where the rules do not count partial
 * agreement.
 */
function clusterCloseness(clusters: readonly CandidateCluster[], rules: VoteRules): Closeness {
  const closeness = clusters.map(() => clusters.map(() => 0));
  if (rules.partialSupport === 0) return closeness;
  for (const [i, first] of clusters.entries())
    for (const [j, second] of clusters.entries()) {
      if (j >= i || cellCount(first.result) + cellCount(second.result) > MAX_RELATED_CELLS) continue;
      const value = closenessOf(relateResults(first.result, second.result));
      for (const [row, column] of [
        [i, j],
        [j, i],
      ] as const) {
        const line = closeness[row];
        if (line !== undefined) line[column] = value;
      }
    }
  return closeness;
}

/** What each cluster is worth: its own votes, and those of the others times their closeness and `partialSupport`. */
function supportClusters(
  clusters: readonly CandidateCluster[],
  closeness: Closeness,
  rules: VoteRules,
): readonly SupportedCluster[] {
  const votes = clusters.map(({ members }) => members.reduce((sum, { weight }) => sum + weight, 0));
  return clusters.map((cluster, i) => {
    const lent = votes.reduce((sum, other, j) => (i === j ? sum : sum + other * (closeness[i]?.[j] ?? 0)), 0);
    return { cluster, votes: votes[i] ?? 0, support: (votes[i] ?? 0) + rules.partialSupport * lent };
  });
}

/** Cells of a result. */
export function cellCount({ columns, rows }: ComparableResult): number {
  return columns.length * rows.length;
}

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
