import { type ComparableResult, type ResultRelation, relateResults } from '@askema/core';
import type { CandidateCluster } from './cluster-candidates.ts';
import type { VoteRules } from './vote-options.ts';

/** Clusters with what each is worth. */
export interface SupportedCluster {
  readonly cluster: CandidateCluster;
  /** Sum of the weights of its members. */
  readonly votes: number;
  /** `votes`, and what the votes of other clusters add by partial agreement. */
  readonly support: number;
}

/** Cells of both results together, above which partial agreement is not looked for: it would cost more than it tells. */
export const MAX_RELATED_CELLS = 100_000;

/** How close two clusters are that do not agree, in [0, 1], for each pair; symmetric. */
export type Closeness = readonly (readonly number[])[];

/** What each relation is worth, as a share of {@link VoteRules.partialSupport}. Overlap counts by its square, half as much at most. */
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

/** Relates each pair of clusters by the results of their first members; all 0 where the rules do not count partial agreement. */
export function clusterCloseness(clusters: readonly CandidateCluster[], rules: VoteRules): Closeness {
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
export function supportClusters(
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
