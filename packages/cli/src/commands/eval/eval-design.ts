import { join, resolve } from 'node:path';
import { AskemaError, didYouMean, type JsonValue } from '@askema/core';
import { jsonlJournal } from '@askema/core/node';
import {
  createDesignJudge,
  type DesignProgress,
  type DesignSummary,
  type EvaluationPrices,
  evaluateDesigns,
  formatDesignSummary,
  loadSchemaDataset,
  type SchemaDataset,
} from '@askema/eval';
import { createText2Schema, type Text2SchemaOptions } from '@askema/text2schema';
import { loadConfig } from '../../config/load-config.ts';
import { createScratchDatabases } from '../../database/scratch-databases.ts';
import { parseCount } from '../../flags/parse-count.ts';
import {
  chooseAdministrator,
  chooseDesignModel,
  readParts,
  readPreset,
  readStrategy,
  switchesWithout,
} from '../../flags/read-design-flags.ts';
import type { CommandContext, CommonFlags } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { formatDuration } from '../../terminal/duration.ts';
import { printableLines } from '../../terminal/printable.ts';
import { startProgressLine } from '../../terminal/progress-line.ts';
import { chooseRequirements, type RequirementChoice, readScorers, type ScorerFlags } from './eval-design-score.ts';
import { readReports } from './read-reports.ts';

export interface EvalDesignFlags extends CommonFlags, ScorerFlags {
  readonly model?: string | undefined;
  readonly strategy?: string | undefined;
  readonly preset?: string | undefined;
  /** A file of reports behind which the designs begin. */
  readonly reports?: string | undefined;
  readonly out?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly limit?: string | undefined;
  readonly concurrency?: string | undefined;
  readonly judgeModel?: string | undefined;
  readonly judgeSamples?: string | undefined;
  /** Parts of SchemaAgent that are left out. */
  readonly without?: readonly string[] | undefined;
  /** A model that chooses who speaks next where nobody was named. */
  readonly administrator?: string | undefined;
  readonly maxRounds?: string | undefined;
  /** US dollars per million tokens: in and out. */
  readonly price?: readonly string[] | undefined;
  readonly json?: true | undefined;
  readonly force?: true | undefined;
  readonly retryFailed?: true | undefined;
}

/** `askema eval design DATASET`; returns the exit code. */
export async function runEvalDesign(place: string, flags: EvalDesignFlags, context: CommandContext): Promise<number> {
  const { host, out, err, signal } = context;
  if (flags.out === undefined) {
    throw new AskemaError(
      'INPUT_INVALID',
      '--out is missing: the folder for the results, where a second start goes on.',
    );
  }
  const count = (text: string | undefined, option: string): number | undefined =>
    text === undefined ? undefined : parseCount(text, option);
  const selection = { ids: flags.ids, limit: count(flags.limit, '--limit') };
  const concurrency = count(flags.concurrency, '--concurrency');
  const maxRounds = count(flags.maxRounds, '--max-rounds');
  const samples = count(flags.judgeSamples, '--judge-samples');
  const prices = readPrices(flags.price);
  const strategy = readStrategy(flags.strategy);
  const preset = readPreset(flags.preset, strategy);
  const switches = switchesWithout(readParts(flags.without, { strategy, preset }));
  const reports = flags.reports === undefined ? undefined : await readReports(flags.reports, host.cwd);
  if (reports !== undefined && strategy !== 'schema-agent')
    throw new AskemaError('INPUT_INVALID', `--reports belongs to --strategy schema-agent; ${strategy} reads none.`);
  const loaded = await loadConfig(host.cwd, flags.config, context);
  const scorers = await readScorers(flags, { cwd: host.cwd, loaded, env: host.env });
  const dataset = await loadSchemaDataset(resolve(host.cwd, place));
  const known = dataset.items.map(({ id }) => id);
  const strange = reports?.ids.find((id) => !known.includes(id));
  if (strange !== undefined)
    throw new AskemaError(
      'INPUT_INVALID',
      `${flags.reports} has a report for ${JSON.stringify(strange)}, which is no requirement of ${dataset.name}. ${didYouMean(strange, known)}`.trim(),
    );
  const search = { loaded, env: host.env, signal };
  const choice = await chooseDesignModel(flags.model, search);
  const administrator = await chooseAdministrator(flags.administrator, { strategy, preset }, search);
  const judge = flags.judgeModel === undefined ? undefined : await chooseDesignModel(flags.judgeModel, search);
  const folder = resolve(host.cwd, flags.out);
  await err.write(
    `${choice.label} (${choice.origin}) · ${strategy}${preset === undefined ? '' : ` (${preset})`} · ${describeDataset(dataset, selection)}${reports === undefined ? '' : `, ${reports.ids.length} with a report`} · ${printableLines(folder)}\n`,
  );
  const line = startProgressLine(err);
  const scratch = createScratchDatabases();
  try {
    const settings: Pick<Text2SchemaOptions, 'strategy' | 'preset' | 'switches' | 'maxRounds'> = {
      strategy,
      ...(preset === undefined ? {} : { preset }),
      ...(switches === undefined ? {} : { switches }),
      ...(maxRounds === undefined ? {} : { maxRounds }),
    };
    const text2schema = createText2Schema({
      ...settings,
      model: choice.model,
      administrator: administrator?.model,
      scratch: () => scratch.open(),
      journal: jsonlJournal({ directory: join(folder, 'journal') }),
    });
    const summary = await evaluateDesigns({
      dataset,
      design: (requirement, { signal: stop, runId, id }) =>
        text2schema.design(requirement, {
          signal: stop,
          runId,
          tags: { requirement: id },
          artefacts: reports?.artefactsOf(id),
        }),
      out: folder,
      configuration: {
        model: choice.label,
        ...(settings as Record<string, JsonValue>),
        ...(administrator === undefined ? {} : { administrator: administrator.label }),
        ...(reports === undefined ? {} : { reports: reports.sha256 }),
        ...(judge === undefined ? {} : { judge: judge.label, judgeSamples: samples ?? 1 }),
      },
      scorers,
      judge: judge === undefined ? undefined : createDesignJudge({ model: judge.model, samples }),
      runDdl: (schema, stop) => scratch.runDdl(schema, stop),
      ...selection,
      concurrency,
      prices,
      force: flags.force,
      retryFailed: flags.retryFailed,
      onProgress: (progress) => line.show(describeProgress(progress)),
      signal,
    });
    await line.stop();
    await out.write(flags.json === true ? `${JSON.stringify(summary, undefined, 2)}\n` : summaryText(summary));
    return reportEnd(summary, context);
  } finally {
    await line.stop();
    scratch.remove();
  }
}

function readPrices(price: readonly string[] | undefined): EvaluationPrices | undefined {
  if (price === undefined) return undefined;
  const [input, output] = price.map(Number);
  const isPrice = (value: number | undefined): value is number => value !== undefined && value >= 0;
  if (price.length === 2 && isPrice(input) && isPrice(output))
    return { inputPerMillion: input, outputPerMillion: output };
  throw new AskemaError(
    'INPUT_INVALID',
    `--price "${price.join(',')}" must be two amounts of US dollars per million tokens, in and out: 0.25,2.`,
  );
}

function describeDataset(dataset: SchemaDataset, selection: RequirementChoice): string {
  const broken = dataset.problems.length === 0 ? '' : `, ${dataset.problems.length} unreadable`;
  const chosen = chooseRequirements(dataset, selection).items.length;
  const all = dataset.items.length;
  const count = chosen === all ? `${all}` : `${chosen} of ${all}`;
  return `${printableLines(dataset.name)}: ${count} ${all === 1 ? 'requirement' : 'requirements'}${broken}`;
}

function describeProgress({ done, total, designed, tableF1, usage }: DesignProgress): string {
  const score = tableF1 === undefined ? '' : ` · table F1 ${(tableF1 * 100).toFixed(1)}`;
  const tokens = usage.outputTokens === undefined ? '' : ` · ${usage.outputTokens.toLocaleString('en')} tokens out`;
  return `${done}/${total} · ${designed} designed${score}${tokens}`;
}

function summaryText(summary: DesignSummary): string {
  return `${printableLines(formatDesignSummary(summary))}\n`;
}

async function reportEnd(summary: DesignSummary, { err, signal }: CommandContext): Promise<number> {
  await err.write(`${err.dim(`All requirements together: ${formatDuration(summary.elapsedMs)}.`)}\n`);
  if (!signal.aborted) return EXIT.ok;
  await err.write(
    `${err.yellow(`Stopped with ${summary.unfinished} to go.`)} What is finished is on disk; the same command goes on from there.\n`,
  );
  return EXIT.interrupted;
}
