import { resolve } from 'node:path';
import { AskemaError, type JsonValue, type ValueIndex } from '@askema/core';
import { findMetric, formatSummary, type Pipeline, readRun, runEvaluation } from '@askema/eval';
import { createText2Sql, type Text2Sql, type Text2SqlOptions } from '@askema/text2sql';
import { loadConfig } from '../../config/load-config.ts';
import { openMeaningFor } from '../../database/open-meaning.ts';
import { parseCount } from '../../flags/parse-count.ts';
import { readAskBack } from '../../flags/read-ask-back.ts';
import { readSchemaFlags, type SchemaFlags } from '../../flags/read-schema-flags.ts';
import type { FlowFlags } from '../../flow/flow-list.ts';
import { defaultFlow, resolveFlow } from '../../flow/resolve-flow.ts';
import { resolveModel } from '../../model/resolve-model.ts';
import type { CommandContext, CommonFlags } from '../../process/command-context.ts';
import { parseDuration } from '../../terminal/duration.ts';
import { printableLines, withoutUserInfo } from '../../terminal/printable.ts';
import { chooseReportFormat, deliverReport } from './deliver-report.ts';
import { openKnowledgeOf } from './open-knowledge-of.ts';
import { type DatasetFlags, databaseOpener, describeDataset, metricsOf, openQuestions } from './open-questions.ts';
import { openQueue } from './open-queue.ts';
import { openValuesIn } from './open-values-in.ts';
import {
  type PriceFlags,
  type RateFlags,
  readCount,
  readRateLimit,
  readSelection,
  readShard,
  readSpending,
  type SelectionFlags,
} from './read-eval-flags.ts';
import { reportPredictions } from './report-predictions.ts';
import { findRunFolder } from './run-folder.ts';
import { reportEnd, startRunProgress } from './run-progress.ts';

export interface EvalRunFlags
  extends CommonFlags,
    FlowFlags,
    SchemaFlags,
    DatasetFlags,
    SelectionFlags,
    PriceFlags,
    RateFlags {
  readonly model?: string | undefined;
  readonly flow?: string | undefined;
  readonly out?: string | undefined;
  readonly metric?: readonly string[] | undefined;
  /** The folder of an earlier run, with whose gold results those of this one are compared. */
  readonly baseline?: string | undefined;
  /** A file for the report of the run. */
  readonly report?: string | undefined;
  /** A folder for the answers as the program of Spider 2.0 takes them. */
  readonly predictions?: string | undefined;
  readonly concurrency?: string | undefined;
  /** `2/3`: the second of three parts. */
  readonly shard?: string | undefined;
  /** The PostgreSQL database that holds the queue. */
  readonly queue?: string | undefined;
  readonly timeout?: string | undefined;
  readonly maxRows?: string | undefined;
  readonly askBack?: string | undefined;
  readonly alignValues?: boolean | undefined;
  readonly samples: boolean;
  /** A folder with `ID.values.sqlite` for each database that has an index. */
  readonly valueIndex?: string | undefined;
  /** A folder of knowledge, or one that holds a folder of knowledge for each database. */
  readonly knowledge?: string | undefined;
  readonly force?: boolean | undefined;
  readonly retryFailed?: boolean | undefined;
}

/** `askema eval run DATASET`; returns the exit code. */
export async function runEvalRun(place: string, flags: EvalRunFlags, context: CommandContext): Promise<number> {
  const { host, out, err, signal } = context;
  if (flags.out === undefined) {
    throw new AskemaError(
      'INPUT_INVALID',
      '--out is missing: the folder for the results, where a second start goes on.',
    );
  }
  // Whatever is wrong with the command is told before a model is asked.
  const selection = { ...readSelection(flags), shard: readShard(flags.shard) };
  const concurrency = readCount(flags.concurrency, '--concurrency');
  const wrap = readRateLimit(flags);
  flags.metric?.forEach(findMetric);
  const reportFormat = flags.report === undefined ? undefined : chooseReportFormat({ out: flags.report }, '--report');
  const baseline = flags.baseline === undefined ? undefined : findRunFolder(flags.baseline, host.cwd);
  const loaded = await loadConfig(host.cwd, flags.config, context);
  const limits = {
    ...readLimits(flags),
    ...readSchemaFlags(flags, loaded),
    ...readAskBack(flags.askBack),
    ...(flags.alignValues === true ? { alignValues: true } : {}),
  };
  const here = { ...loaded, cwd: host.cwd };
  const named = await resolveFlow(flags, here);
  const dataset = await openQuestions(place, flags, loaded, context);
  const metrics = metricsOf(flags.metric, dataset);
  const knowledge =
    flags.knowledge === undefined ? undefined : await openKnowledgeOf(flags.knowledge, dataset.databases, host.cwd);
  const choice = await resolveModel({ flag: flags.model, loaded, env: host.env, signal, wrap });
  const flow = named ?? (await defaultFlow(flags, here, { model: choice.model, access: 'read' }));
  const spending = readSpending(flags, choice, loaded);
  const folder = resolve(host.cwd, flags.out);
  const predictions = flags.predictions === undefined ? undefined : resolve(host.cwd, flags.predictions);
  const configuration = {
    model: choice.label,
    flow: flow.label,
    ...(limits as Record<string, JsonValue>),
    ...flow.options,
    ...(flags.valueIndex === undefined ? {} : { valueIndex: flags.valueIndex }),
    ...(knowledge === undefined ? {} : { knowledge: knowledge.fingerprint }),
    ...(flags.database === undefined ? {} : { database: withoutUserInfo(flags.database) }),
  };
  const meaning = openMeaningFor(loaded, context);
  const queue =
    flags.queue === undefined
      ? undefined
      : openQueue(flags.queue, {
          folder,
          fingerprint: dataset.fingerprint,
          configuration,
          metrics: metrics?.map(({ id }) => id) ?? [],
        });
  await err.write(`${choice.label} (${choice.origin}) · ${flow.label} · ${describeDataset(dataset)} · ${folder}\n`);
  const progress = startRunProgress(err);
  try {
    const summary = await runEvaluation({
      dataset,
      connect: databaseOpener(flags, loaded, context),
      pipeline: async (adapter, database) => {
        const values =
          flags.valueIndex === undefined
            ? undefined
            : await openValuesIn(flags.valueIndex, database.id, adapter, { cwd: host.cwd, signal, meaning });
        const given = values === undefined ? {} : { valueIndex: values, linkValues: true };
        const journal = queue === undefined ? {} : { journal: await queue.openJournal() };
        return closingValues(
          createText2Sql({
            adapter,
            model: choice.model,
            flow: flow.flow,
            askBack: 'never',
            onEvent: loaded.config.tracing?.onEvent,
            ...limits,
            ...given,
            ...journal,
            knowledge: knowledge?.sources.get(database.id),
          }),
          values,
        );
      },
      out: folder,
      answerFolder: predictions,
      configuration,
      metrics,
      baseline,
      concurrency,
      goldTimeoutMs: limits.timeoutMs,
      ...selection,
      ...spending,
      ...queue?.options,
      ...(flags.force === true ? { force: true } : {}),
      ...(flags.retryFailed === true ? { retryFailed: true } : {}),
      onProgress: (state) => progress.show(state),
      signal,
    });
    await progress.stop();
    const text = printableLines(formatSummary(summary));
    await out.write(text.endsWith('\n') ? text : `${text}\n`);
    if (reportFormat !== undefined)
      await deliverReport(await readRun(folder), { format: reportFormat, file: flags.report }, context);
    if (predictions !== undefined) await reportPredictions(predictions, await readRun(folder), err);
    return await reportEnd(summary, context);
  } finally {
    await progress.stop();
    await queue?.close();
  }
}

/** The pipeline, whose end is that of its index as well. */
function closingValues(text2sql: Text2Sql, values: ValueIndex | undefined): Pipeline {
  return {
    ask: (question, options) => text2sql.ask(question, options),
    async close() {
      await text2sql.close();
      await values?.close();
    },
  };
}

/** What is measured, and so part of the configuration that a resumed run must share. */
function readLimits(flags: EvalRunFlags): Pick<Text2SqlOptions, 'maxRows' | 'timeoutMs' | 'sampleValues'> {
  return {
    ...(flags.maxRows === undefined ? {} : { maxRows: parseCount(flags.maxRows, '--max-rows') }),
    ...(flags.timeout === undefined ? {} : { timeoutMs: parseDuration(flags.timeout, '--timeout') }),
    ...(flags.samples ? {} : { sampleValues: 0 }),
  };
}
