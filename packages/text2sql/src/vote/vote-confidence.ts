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
 *     agreement  = (votes + support) / 2 / (threads + 1)
 *     lead       = (support − rival) / support
 *     confidence = agreement × (1 + lead) / 2
 *
 * One more than the number of threads, so that a single answer is not certain (Laplace's rule of succession): 3 of 3 give 0.75, 8 of 8
 * 0.89, 1 of 1 0.5. Threads without an answer and doubts that lower the weight of votes lower it; partial agreement raises it half
 * as much as whole agreement. It ranks decisions; it is no measured probability of being right.
 */
export function voteConfidence({ votes, support, rival, threads }: ConfidenceInput): number {
  if (support <= 0 || threads <= 0) return 0;
  const agreement = (votes + support) / 2 / (threads + 1);
  const lead = Math.max(0, support - rival) / support;
  return Math.min(1, Math.max(0, (agreement * (1 + lead)) / 2));
}
