import { resolve } from 'node:path';
import { AskemaError, type JsonValue, type ValueIndex } from '@askema/core';
import {
  type Dataset,
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
import { type PriceFlags, readSpending } from '../eval/read-prices.ts';
import { readCount, readSelection, type SelectionFlags } from '../eval/read-selection.ts';
import { readShard } from '../eval/read-shard.ts';
import { startRunProgress } from '../eval/run-progress.ts';
import { type FlowFlags, readFlowOptions } from '../flow/read-flow-options.ts';
import { resolveFlow } from '../flow/resolve-flow.ts';
import { resolveModel } from '../model/resolve-model.ts';
import { EXIT } from '../process/exit-code.ts';
import { formatUsd } from '../terminal/amounts.ts';
import { formatDuration, parseDuration } from '../terminal/duration.ts';
import { parseCount } from '../terminal/parse-count.ts';
import { printableLines } from '../terminal/printable.ts';
import { openValuesIn } from '../values/open-values.ts';
import type { CommandContext, CommonFlags } from './command-context.ts';

export interface EvalRunFlags extends CommonFlags, FlowFlags, SelectionFlags, PriceFlags {
  readonly model?: string | undefined;
  readonly flow?: string | undefined;
  readonly out?: string | undefined;
  /** An address or a name of the configuration, with `{id}` for that of each database. */
  readonly database?: string | undefined;
  readonly concurrency?: string | undefined;
  /** `2/3`: the second of three parts. */
  readonly shard?: string | undefined;
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
  const selection = { ...readSelection(flags), shard: readShard(flags.shard) };
  const concurrency = readCount(flags.concurrency, '--concurrency');
  const limits = readLimits(flags);
  const loaded = await loadConfig(host.cwd, flags.config);
  const flow = await resolveFlow(flags.flow, loaded);
  const options = { ...limits, ...readFlowOptions(flags, flow, loaded) };
  const { database: place } = flags;
  const dataset = await loadDataset(resolve(host.cwd, directory), {
    databases: place === undefined ? 'files' : 'elsewhere',
  });
  const choice = await resolveModel({ flag: flags.model, loaded, env: host.env, signal });
  const spending = readSpending(flags, choice, loaded);
  const folder = resolve(host.cwd, flags.out);
  await err.write(`${choice.label} (${choice.origin}) · ${flow.label} · ${describeDataset(dataset)} · ${folder}\n`);
  const progress = startRunProgress(err);
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
      ...spending,
      concurrency,
      ...(flags.force === true ? { force: true } : {}),
      ...(flags.retryFailed === true ? { retryFailed: true } : {}),
      onProgress: (state) => progress.show(state),
      signal,
    });
    await progress.stop();
    await out.write(withLineEnd(printableLines(formatSummary(summary))));
    return reportEnd(summary, context);
  } finally {
    await progress.stop();
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

function describeDataset(dataset: Dataset): string {
  const broken = dataset.problems.length === 0 ? '' : `, ${dataset.problems.length} unreadable`;
  return `${printableLines(dataset.name)}: ${dataset.questions.length} questions${broken}`;
}

async function reportEnd(summary: EvaluationSummary, { err, signal }: CommandContext): Promise<number> {
  await err.write(`${err.dim(`All questions together: ${formatDuration(summary.elapsedMs)}.`)}\n`);
  const { unfinished } = summary;
  const goesOn = 'What is finished is on disk; the same command goes on from there';
  if (signal.aborted) {
    await err.write(`${err.yellow(`Stopped with ${unfinished} to go.`)} ${goesOn}.\n`);
    return EXIT.interrupted;
  }
  if (summary.stopped !== 'budget') return EXIT.ok;
  const spent = `${formatUsd(summary.spentUsd ?? 0)} of ${formatUsd(summary.budgetUsd ?? 0)} are spent`;
  await err.write(
    `${err.yellow(`The budget ended the run with ${unfinished} to go: ${spent}.`)} ${goesOn}, with a higher --budget-usd.\n`,
  );
  return EXIT.failed;
}

function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
