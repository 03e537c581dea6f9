import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { findMetric, formatSummary, loadPredictions, type Predictions, readRun, scorePredictions } from '@askema/eval';
import { loadConfig } from '../../config/load-config.ts';
import type { CommandContext, CommonFlags } from '../../process/command-context.ts';
import type { Output } from '../../process/output.ts';
import { printable, printableLines, withoutUserInfo } from '../../terminal/printable.ts';
import { chooseReportFormat, deliverReport } from './deliver-report.ts';
import { type DatasetFlags, databaseOpener, describeDataset, metricsOf, openQuestions } from './open-questions.ts';
import { readCount, readSelection, type SelectionFlags } from './read-eval-flags.ts';
import { reportEnd, startRunProgress } from './run-progress.ts';

export interface EvalScoreFlags extends CommonFlags, DatasetFlags, SelectionFlags {
  readonly metric?: readonly string[] | undefined;
  /** Keeps the results; without it they are only printed. */
  readonly out?: string | undefined;
  readonly report?: string | undefined;
  readonly concurrency?: string | undefined;
}

/** Problems of predictions that are listed; the others are counted. */
const LISTED = 10;

/** `askema eval score DATASET PREDICTIONS`: asks no model. Returns the exit code. */
export async function runEvalScore(
  place: string,
  source: string,
  flags: EvalScoreFlags,
  context: CommandContext,
): Promise<number> {
  const { host, out, err, signal } = context;
  const selection = readSelection(flags);
  const concurrency = readCount(flags.concurrency, '--concurrency');
  flags.metric?.forEach(findMetric);
  const reportFormat = flags.report === undefined ? undefined : chooseReportFormat({ out: flags.report }, '--report');
  const loaded = await loadConfig(host.cwd, flags.config, context);
  const dataset = await openQuestions(place, flags, loaded, context);
  const metrics = metricsOf(flags.metric, dataset);
  const predictions = await loadPredictions(resolve(host.cwd, source), dataset);
  const described = `${predictions.answers.size} predictions (${predictions.format})`;
  await err.write(`${described} · ${describeDataset(dataset)}\n`);
  await listProblems(predictions, err);
  const folder =
    flags.out === undefined ? await mkdtemp(join(tmpdir(), 'askema-score-')) : resolve(host.cwd, flags.out);
  const progress = startRunProgress(err);
  try {
    const summary = await scorePredictions({
      dataset,
      predictions,
      connect: databaseOpener(flags, loaded, context),
      out: folder,
      configuration: {
        predictions: basename(predictions.source),
        content: contentOf(predictions),
        ...(flags.database === undefined ? {} : { database: withoutUserInfo(flags.database) }),
      },
      metrics,
      concurrency,
      ...selection,
      onProgress: (state) => progress.show(state),
      signal,
    });
    await progress.stop();
    await out.write(`${printableLines(formatSummary(summary))}\n`);
    if (reportFormat !== undefined)
      await deliverReport(await readRun(folder), { format: reportFormat, file: flags.report }, context);
    return await reportEnd(summary, context);
  } finally {
    await progress.stop();
    if (flags.out === undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** Other predictions are another measurement, whatever their file is called. */
function contentOf({ answers }: Predictions): string {
  return createHash('sha256')
    .update(JSON.stringify([...answers]))
    .digest('hex')
    .slice(0, 16);
}

async function listProblems({ problems }: Predictions, err: Output): Promise<void> {
  if (problems.length === 0) return;
  const lines = problems.slice(0, LISTED).map(({ line, message }) => `  line ${line}: ${printable(message)}`);
  const rest = problems.length > LISTED ? [`  and ${problems.length - LISTED} more`] : [];
  const title = err.yellow(`Predictions that cannot be used: ${problems.length}`);
  await err.write(`${[title, ...lines, ...rest].join('\n')}\n`);
}
