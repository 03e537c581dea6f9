import type { EvaluationProgress } from '@askema/eval';
import type { Output } from '../process/output.ts';
import { formatTimeLeft, formatUsd } from '../terminal/amounts.ts';
import { startProgressLine } from '../terminal/progress-line.ts';

/** Where nobody watches, a line comes so often: a log of hours stays readable. */
const PLAIN_LINE_EVERY_MS = 30_000;
/** Below so many columns the bar leaves its place to the figures. */
const COLUMNS_FOR_BAR = 110;
const BAR_WIDTH = 20;

export interface RunProgress {
  show(progress: EvaluationProgress): void;
  stop(): Promise<void>;
}

/**
 * Shows how far a run is: one line that changes on a terminal; elsewhere a plain line at the start, then one at most every 30
 * seconds, when a question is finished.
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

/** `37/226 · $0.12 of $5.00 · about 3 min left · 20 right · 3 wrong · 14 declined · 0 failed`: what matters most first, since lines are cut. */
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
