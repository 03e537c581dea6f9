import type { EvaluationSummary } from '@askema/eval';
import type { CommandContext } from '../commands/command-context.ts';
import { EXIT } from '../process/exit-code.ts';
import { formatUsd } from '../terminal/amounts.ts';
import { formatDuration } from '../terminal/duration.ts';

/** Says how a run ended, and how it goes on; returns the exit code. */
export async function reportEnd(
  summary: EvaluationSummary,
  { err, signal }: Pick<CommandContext, 'err' | 'signal'>,
): Promise<number> {
  const { unfinished, stopped, spentUsd, budgetUsd } = summary;
  await err.write(`${err.dim(`All questions together: ${formatDuration(summary.elapsedMs)}.`)}\n`);
  const goesOn = 'What is finished is on disk; the same command goes on from there';
  if (signal.aborted) {
    await err.write(`${err.yellow(`Stopped with ${unfinished} to go.`)} ${goesOn}.\n`);
    return EXIT.interrupted;
  }
  if (stopped !== 'budget') {
    const { counts, counted } = summary.total;
    if (counted === 0 || counts.failed < counted) return EXIT.ok;
    await err.write(`${err.yellow('Every question failed')}, so nothing was measured; the reasons stand above.\n`);
    return EXIT.failed;
  }
  const spent = `${formatUsd(spentUsd ?? 0)} of ${formatUsd(budgetUsd ?? 0)} are spent`;
  await err.write(
    `${err.yellow(`The budget ended the run with ${unfinished} to go: ${spent}.`)} ${goesOn}, with a higher --budget-usd.\n`,
  );
  return EXIT.failed;
}
