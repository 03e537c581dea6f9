import type { EvaluationSummary } from '../../run/evaluation-result.ts';
import { count, counted, percent } from './format-numbers.ts';

/**
 * The figure of a benchmark's own program, in sentences; how much of the set it is of is said beside it, so that nobody
 * takes a part for the whole. Then what was left out of any dataset.
 */
export function officialSentences({ official, leftOut = [] }: EvaluationSummary): readonly string[] {
  const sentences: string[] = [];
  if (official !== undefined) {
    const { metric, right, judged, tasks } = official;
    const share = judged === 0 ? '' : `, ${percent(right / judged)}`;
    sentences.push(`Official score (${metric}): ${count(right)} of ${counted(judged, 'task')} right${share}.`);
    const rest = tasks - judged;
    if (rest > 0)
      sentences.push(
        `This is a part: ${count(rest)} of the ${counted(tasks, 'task')} of the set ${rest === 1 ? 'was' : 'were'} not asked or not judged. Over the whole set it is ${count(right)} of ${count(tasks)}, ${percent(right / tasks)}.`,
      );
  }
  for (const { reason, questions } of leftOut) sentences.push(`Left out: ${counted(questions, 'question')} ${reason}.`);
  return sentences;
}
