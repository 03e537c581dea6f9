import type { DesignArtefacts } from '@askema/text2schema';

/**
 * What a run of requirement tests came to: `28 tests: 24 passed, 3 failed, 1 without a place; 31 of 36 planted mistakes
 * noticed`. Empty where none ran.
 */
export function testCounts({ testReport, mutationCheck }: DesignArtefacts): string {
  const run = testReport?.run;
  if (run === undefined) return '';
  const { passed, failed, notCompiled } = run.counts;
  const all = run.results.length;
  const counts = [
    `${passed} passed`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(notCompiled === 0 ? [] : [`${notCompiled} without a place`]),
  ];
  const planted = plantedCounts(mutationCheck);
  return `${all} ${all === 1 ? 'test' : 'tests'}: ${counts.join(', ')}${planted === '' ? '' : `; ${planted}`}`;
}

function plantedCounts(check: DesignArtefacts['mutationCheck']): string {
  if (check === undefined || check.planted === 0) return '';
  return `${check.noticed} of ${check.planted} planted mistakes noticed`;
}

/** One line for each requirement test that did not pass: `test 3 (event): Ann borrows it again. What happened.` */
export function openTestLines({ testReport, requirementTests = [] }: DesignArtefacts): readonly string[] {
  const kinds = new Map(requirementTests.map(({ number, kind }) => [number, kind]));
  return (testReport?.run?.results ?? []).flatMap(({ set, status, purpose, actual }) =>
    status === 'passed' ? [] : [`test ${set} (${kinds.get(set) ?? 'test'}): ${purpose} ${actual}`],
  );
}
