import {
  type ComparableResult,
  OFFICIAL_VOTE_TOLERANCE,
  type OfficialTable,
  officialTable,
  officialTablesAgree,
  resultSignature,
  resultsAgree,
} from '@askema/core';
import type { WeighedCandidate } from './candidate-weight.ts';
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
 * Clusters of candidates that agree. Agreement within a tolerance is not transitive, so each cluster is held together by its first
 * member: a candidate joins the first cluster whose first member it agrees with. In the order given, which should be that of
 * arrival, a later candidate never moves an earlier one.
 */
export function clusterCandidates(
  candidates: readonly WeighedCandidate[],
  rules: VoteRules,
): readonly CandidateCluster[] {
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
