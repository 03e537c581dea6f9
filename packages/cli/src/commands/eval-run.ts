import { resolve } from 'node:path';
import { AskemaError, type JsonValue, type ValueIndex } from '@askema/core';
import {
  type Dataset,
  type EvaluationOptions,
  type EvaluationProgress,
  type EvaluationSummary,
  formatSummary,
  loadDataset,
  type Pipeline,
  runEvaluation,
} from '@askema/eval';
import { createText2Sql, type Text2Sql, type Text2SqlOptions } from '@askema/text2sql';
import { loadConfig } from '../config/load-config.ts';
import { withoutUserInfo } from '../database/address.ts';
import { resolveDatabase } from '../database/resolve-database.ts';
import { type FlowFlags, readFlowOptions } from '../flow/read-flow-options.ts';
import { resolveFlow } from '../flow/resolve-flow.ts';
import { resolveModel } from '../model/resolve-model.ts';
import { EXIT } from '../process/exit-code.ts';
import { formatDuration, parseDuration } from '../terminal/duration.ts';
import { parseCount } from '../terminal/parse-count.ts';
import { printableLines } from '../terminal/printable.ts';
import { startProgressLine } from '../terminal/progress-line.ts';
import { openValuesIn } from '../values/open-values.ts';
import type { CommandContext, CommonFlags } from './command-context.ts';

export interface EvalRunFlags extends CommonFlags, FlowFlags {
  readonly model?: string | undefined;
  readonly flow?: string | undefined;
  readonly out?: string | undefined;
  /** An address or a name of the configuration, with `{id}` for that of each database. */
  readonly database?: string | undefined;
  readonly limit?: string | undefined;
  readonly category?: readonly string[] | undefined;
  readonly difficulty?: readonly string[] | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly concurrency?: string | undefined;
  readonly sample?: string | undefined;
  readonly seed?: string | undefined;
  readonly timeout?: string | undefined;
  readonly maxRows?: string | undefined;
  readonly samples: boolean;
  /** A folder with `ID.values.sqlite` for each database that has an index. */
  readonly valueIndex?: string | undefined;
  readonly force?: boolean | undefined;
  readonly retryFailed?: boolean | undefined;
}

/** `askema eval run DIR`; returns the exit code. */
export async function runEvalRun(directory: string, flags: EvalRunFlags, context: CommandContext): Promise<number> {
  const { host, out, err, signal } = context;
  if (flags.out === undefined) {
    throw new AskemaError(
      'INPUT_INVALID',
      '--out is missing: the folder for the results, where a second start goes on.',
    );
  }
  const selection = readSelection(flags);
  const limits = readLimits(flags);
  const loaded = await loadConfig(host.cwd, flags.config);
  const flow = await resolveFlow(flags.flow, loaded);
  const options = { ...limits, ...readFlowOptions(flags, flow, loaded) };
  const { database: place } = flags;
  const dataset = await loadDataset(resolve(host.cwd, directory), {
    databases: place === undefined ? 'files' : 'elsewhere',
  });
  const choice = await resolveModel({ flag: flags.model, loaded, env: host.env, signal });
  const folder = resolve(host.cwd, flags.out);
  await err.write(`${choice.label} (${choice.origin}) · ${flow.label} · ${describeDataset(dataset)} · ${folder}\n`);
  const line = startProgressLine(err);
  try {
    const summary = await runEvaluation({
      dataset,
      connect: ({ id, file }) =>
        resolveDatabase({ address: place?.replaceAll('{id}', id) ?? file, access: 'read', loaded }, context),
      pipeline: async (adapter, database) => {
        const values =
          flags.valueIndex === undefined
            ? undefined
            : await openValuesIn(flags.valueIndex, database.id, adapter, { cwd: host.cwd, signal });
        const given = values === undefined ? {} : { valueIndex: values, linkValues: true };
        return closingValues(
          createText2Sql({ adapter, model: choice.model, flow: flow.flow, ...options, ...given }),
          values,
        );
      },
      out: folder,
      configuration: {
        model: choice.label,
        flow: flow.label,
        ...(options as Record<string, JsonValue>),
        ...(flags.valueIndex === undefined ? {} : { valueIndex: flags.valueIndex }),
        ...(place === undefined ? {} : { database: withoutUserInfo(place) }),
      },
      ...selection,
      ...(flags.force === true ? { force: true } : {}),
      ...(flags.retryFailed === true ? { retryFailed: true } : {}),
      onProgress: (progress) => line.show(describeProgress(progress)),
      signal,
    });
    await line.stop();
    await out.write(withLineEnd(printableLines(formatSummary(summary))));
    return reportEnd(summary, context);
  } finally {
    await line.stop();
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

function readSelection(flags: EvalRunFlags): Partial<EvaluationOptions> {
  const count = (text: string | undefined, option: string, minimum = 1): number | undefined =>
    text === undefined ? undefined : parseCount(text, option, minimum);
  return {
    limit: count(flags.limit, '--limit'),
    sample: count(flags.sample, '--sample'),
    seed: count(flags.seed, '--seed', 0),
    concurrency: count(flags.concurrency, '--concurrency'),
    category: flags.category,
    difficulty: flags.difficulty,
    ids: flags.ids,
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

function describeDataset(dataset: Dataset): string {
  const broken = dataset.problems.length === 0 ? '' : `, ${dataset.problems.length} unreadable`;
  return `${printableLines(dataset.name)}: ${dataset.questions.length} questions${broken}`;
}

function describeProgress({ done, total, counts, costUsd }: EvaluationProgress): string {
  const cost = costUsd === undefined ? '' : ` · $${costUsd.toFixed(2)}`;
  return `${done}/${total} · ${counts.right} right · ${counts.wrong} wrong · ${counts.declined} declined · ${counts.failed} failed${cost}`;
}

async function reportEnd(summary: EvaluationSummary, { err, signal }: CommandContext): Promise<number> {
  await err.write(`${err.dim(`All questions together: ${formatDuration(summary.elapsedMs)}.`)}\n`);
  if (!signal.aborted) return EXIT.ok;
  await err.write(
    `${err.yellow(`Stopped with ${summary.unfinished} to go.`)} What is finished is on disk; the same command goes on from there.\n`,
  );
  return EXIT.interrupted;
}

function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
