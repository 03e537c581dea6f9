import type { EvaluationProgress, EvaluationSummary } from '@askema/eval';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import type { Output } from '../../process/output.ts';
import { formatDuration } from '../../terminal/duration.ts';
import { startProgressLine } from '../../terminal/progress-line.ts';

/** Where nobody watches, a line comes so often: a log of hours stays readable. */
const PLAIN_LINE_EVERY_MS = 30_000;
/** Below so many columns the bar leaves its place to the figures. */
const COLUMNS_FOR_BAR = 110;
const BAR_WIDTH = 20;

interface RunProgress {
  show(progress: EvaluationProgress): void;
  stop(): Promise<void>;
}

/**
 * Shows how far a run is: one line that changes on a terminal; elsewhere a plain line at the start, then one at most
 * every 30 seconds, when a question is finished.
 */
export function startRunProgress(output: Output, now: () => number = Date.now): RunProgress {
  const line = startProgressLine(output, now);
  let writtenAt: number | undefined;
  return {
    show(progress) {
      const text = describeProgress(progress);
      if (output.isTerminal) {
        line.show((output.columns ?? 0) >= COLUMNS_FOR_BAR ? `${bar(progress)} ${text}` : text);
        return;
      }
      if (writtenAt !== undefined && now() - writtenAt < PLAIN_LINE_EVERY_MS) return;
      writtenAt = now();
      void output.write(`${text}\n`);
    },
    stop: () => line.stop(),
  };
}

/**
 * `37/226 · $0.12 of $5.00 · about 3 min left · 20 right · 3 wrong · 14 declined · 0 failed`: what matters most first,
 * since lines are cut.
 */
export function describeProgress({ done, total, counts, costUsd, budgetUsd, remainingMs }: EvaluationProgress): string {
  return [
    `${done}/${total}`,
    ...(costUsd === undefined
      ? []
      : [`${formatUsd(costUsd)}${budgetUsd === undefined ? '' : ` of ${formatUsd(budgetUsd)}`}`]),
    ...(remainingMs === undefined || done >= total ? [] : [`about ${formatTimeLeft(remainingMs)} left`]),
    `${counts.right} right`,
    `${counts.wrong} wrong`,
    `${counts.declined} declined`,
    `${counts.failed} failed`,
    ...(counts.goldFailed === 0 ? [] : [`${counts.goldFailed} without gold`]),
  ].join(' · ');
}

function bar({ done, total }: EvaluationProgress): string {
  const filled = total === 0 ? BAR_WIDTH : Math.floor((done / total) * BAR_WIDTH);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`;
}

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

/** US dollars for people: `$12.30`, and `$0.0042` where cents say nothing. */
export function formatUsd(dollars: number): string {
  return `$${dollars.toFixed(dollars > 0 && dollars < 0.1 ? 4 : 2)}`;
}

/** A rough time for people: `40 s`, `12 min`, `3 h 05 min`. */
export function formatTimeLeft(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}
