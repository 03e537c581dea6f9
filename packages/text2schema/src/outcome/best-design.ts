import type { DesignCandidate, DesignState } from '../design-state.ts';

/**
 * The design that is the result: the accepted one; else, of those without an error of the tools, the one that passed
 * most of its tests, the latest of several. Only where all have errors, of all.
 */
export function bestDesign({ candidates }: Pick<DesignState, 'candidates'>): DesignCandidate | undefined {
  const accepted = candidates.findLast((one) => one.testReport?.accepted === true && isClean(one));
  if (accepted !== undefined) return accepted;
  const clean = candidates.filter(isClean);
  let best: DesignCandidate | undefined;
  for (const candidate of clean.length > 0 ? clean : candidates)
    if (best === undefined || passedShare(candidate) >= passedShare(best)) best = candidate;
  return best;
}

/** There are relations, and no error of the tools stands. */
export function isClean({ design }: Pick<DesignCandidate, 'design'>): boolean {
  return design.schema.relations.length > 0 && !design.findings.some(({ severity }) => severity === 'error');
}

/** Of the cases of its run; 0 where none ran. */
function passedShare({ testReport }: DesignCandidate): number {
  const counts = testReport?.run?.counts;
  if (counts === undefined) return 0;
  const all = counts.passed + counts.failed + counts.notCompiled + counts.notRun;
  return all === 0 ? 0 : counts.passed / all;
}
