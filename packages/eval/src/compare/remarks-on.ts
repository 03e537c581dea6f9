import type { StoredRun } from './read-run.ts';
import type { RunComparison } from './run-comparison.ts';

/** Below it, a percentile interval over databases is too narrow. */
const FEWEST_DATABASES = 10;

/** What a reader should know before the figures: why they may compare unlike things. A sentence each. */
export function remarksOn(comparison: Omit<RunComparison, 'remarks'>, a: StoredRun, b: StoredRun): readonly string[] {
  const { total, rewritten, drifted, goldFailed, onlyA, onlyB, options } = comparison;
  const remarks: string[] = [];
  const leftOut = (count: number, which: string): void => {
    if (count > 0) remarks.push(`Left out: ${questions(count)} ${which}.`);
  };
  if (total.questions === 0)
    remarks.push('The runs have no question in common that counts, so that nothing can be compared.');
  if (a.run.dataset.fingerprint !== b.run.dataset.fingerprint)
    remarks.push(
      `The datasets are not the same: ${a.run.dataset.name} has changed between the runs, or another one was asked.`,
    );
  if (a.run.runId === b.run.runId) remarks.push('Both are the same run.');
  if (drifted.length > 0)
    remarks.push(`Gold gave other results in the second run on ${questions(drifted.length)}: databases have changed.`);
  leftOut(rewritten.length, 'with another text or other gold SQL under the same id');
  leftOut(goldFailed.length, 'whose gold did not run in one of the runs');
  leftOut(onlyA.length, `only in ${a.name}`);
  leftOut(onlyB.length, `only in ${b.name}`);
  for (const side of [a, b]) {
    const unfinished = side.summary?.unfinished ?? 0;
    if (unfinished > 0) remarks.push(`${side.name} was stopped with ${questions(unfinished)} not asked.`);
    if (side.unreadable.length > 0)
      remarks.push(`${side.name} has ${side.unreadable.length} lines that cannot be read.`);
  }
  const databases = new Set(b.results.map((result) => result.databaseId)).size;
  if (options.resampleBy === 'database' && databases < FEWEST_DATABASES)
    remarks.push(
      `Intervals over ${databases} databases are too narrow to be relied on; they want ${FEWEST_DATABASES} or more.`,
    );
  return remarks;
}

function questions(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'question' : 'questions'}`;
}
