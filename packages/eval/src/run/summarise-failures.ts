import type { EvaluationResult } from './evaluation-options.ts';

/** Questions without an answer to compare, that failed for one reason. */
export interface FailureSummary {
  /** That of the error; `other` where there is none. */
  readonly code: string;
  readonly questions: number;
  /** The id and the words of the first of them. */
  readonly firstId: string;
  readonly message: string;
}

/** Why questions failed, the most frequent reason first. */
export function summariseFailures(finished: readonly EvaluationResult[]): readonly FailureSummary[] {
  const failures = new Map<string, FailureSummary>();
  for (const { id, verdict, reason, error } of finished) {
    if (verdict !== 'failed') continue;
    const code = error?.code ?? 'other';
    const known = failures.get(code);
    const first = known ?? { code, questions: 0, firstId: id, message: error?.message ?? reason ?? 'no reason given' };
    failures.set(code, { ...first, questions: first.questions + 1 });
  }
  return [...failures.values()].sort((a, b) => b.questions - a.questions);
}
