import { basename, extname, resolve } from 'node:path';
import { AskemaError, type Dialect } from '@askema/core';
import {
  checkRequirement,
  createText2Schema,
  type DesignOutcome,
  type OnQuestion,
  type PresetName,
  type StrategyName,
  type Text2SchemaOptions,
} from '@askema/text2schema';
import { loadConfig } from '../../config/load-config.ts';
import type { TracingConfig } from '../../config/tracing-config.ts';
import { createScratchDatabases } from '../../database/scratch-databases.ts';
import { oneOf } from '../../flags/one-of.ts';
import { parseCount } from '../../flags/parse-count.ts';
import {
  chooseAdministrator,
  chooseDesignModel,
  type DesignPart,
  readParts,
  readPreset,
  readStrategy,
  switchesWithout,
} from '../../flags/read-design-flags.ts';
import { readAll, readTextFile } from '../../flags/read-input.ts';
import type { ReportFormat } from '../../format/output-formats.ts';
import { dialectsNamed } from '../../format/target-dialects.ts';
import type { ModelChoice } from '../../model/resolve-model.ts';
import type { CommandContext, CommonFlags } from '../../process/command-context.ts';
import { fanOut } from '../../process/fan-out.ts';
import { canConfirm, createLineReader } from '../../terminal/confirm.ts';
import { printableLines } from '../../terminal/printable.ts';
import { type ProgressLine, startProgressLine } from '../../terminal/progress-line.ts';
import { type DesignFolder, openDesignFolder } from './design-folder.ts';
import { createDesignProgress, type DesignProgress } from './design-progress.ts';
import { phasesOf } from './phase-files.ts';
import { printDesign, schemaOf, writeOutputs } from './print-design.ts';

export interface DesignFlags extends CommonFlags {
  readonly out?: string | undefined;
  readonly dialect?: readonly string[] | undefined;
  readonly strategy?: string | undefined;
  readonly preset?: string | undefined;
  readonly model?: string | undefined;
  readonly without?: readonly string[] | undefined;
  readonly from?: string | undefined;
  readonly ask?: boolean | undefined;
  /** A model that chooses who speaks next where nobody was named. */
  readonly administrator?: string | undefined;
  readonly maxRounds?: string | undefined;
  readonly maxCalls?: string | undefined;
  readonly explicitConstraints?: boolean | undefined;
  readonly verbose?: boolean | undefined;
  readonly force?: boolean | undefined;
  readonly format: ReportFormat;
}

/** What the flags ask for, checked. */
interface DesignJob {
  readonly requirement: string;
  readonly strategy: StrategyName;
  /** Of `schema-agent`; else undefined. */
  readonly preset: PresetName | undefined;
  readonly parts: readonly DesignPart[];
  readonly dialects: readonly Dialect[];
  readonly choice: ModelChoice;
  readonly administrator: ModelChoice | undefined;
  readonly maxRounds: number | undefined;
  readonly maxCalls: number | undefined;
  readonly folder: DesignFolder;
  readonly flags: DesignFlags;
  readonly tracing: TracingConfig | undefined;
}

/** `askema design REQUIREMENT`; returns the exit code. */
export async function runDesign(
  named: string | undefined,
  flags: DesignFlags,
  context: CommandContext,
): Promise<number> {
  const { err } = context;
  const job = await readJob(named, flags, context);
  const { folder, dialects } = job;
  if (folder.isResumed) await err.write(err.dim(`${printableLines(folder.shown)}: going on with what is there\n`));
  const { outcome, elapsedMs } = await designOnce(job, context);
  // Another process is at work in the folder: nothing of it may be written over.
  if (outcome.type === 'failed' && outcome.error.code === 'JOURNAL_LOCKED') throw AskemaError.fromJSON(outcome.error);
  const written = await writeOutputs(outcome, schemaOf(outcome), dialects, folder);
  return printDesign(outcome, { ...written, folder: folder.shown, format: flags.format, elapsedMs }, context);
}

/** Checks everything before anything is asked or written. */
async function readJob(named: string | undefined, flags: DesignFlags, context: CommandContext): Promise<DesignJob> {
  const { host, signal } = context;
  const strategy = readStrategy(flags.strategy);
  const preset = readPreset(flags.preset, strategy);
  const parts = readParts(flags.without, { strategy, preset });
  if (flags.from !== undefined && preset === undefined)
    throw new AskemaError('INPUT_INVALID', `--from belongs to --strategy schema-agent; ${strategy} has no phases.`);
  const from =
    flags.from === undefined || preset === undefined ? undefined : oneOf('--from', flags.from, phasesOf(preset));
  const dialects = dialectsNamed(flags.dialect);
  const count = (text: string | undefined, flag: string): number | undefined =>
    text === undefined ? undefined : parseCount(text, flag);
  const maxRounds = count(flags.maxRounds, '--max-rounds');
  const maxCalls = count(flags.maxCalls, '--max-calls');
  if (flags.ask === true && (named === '-' || !canConfirm(host))) {
    throw new AskemaError(
      'INPUT_INVALID',
      '--ask asks on a terminal, and there is none to read from. Leave it out: assumptions hold.',
    );
  }
  const loaded = await loadConfig(host.cwd, flags.config, context);
  const requirement = checkRequirement(await readRequirementFile(named, context));
  const search = { loaded, env: host.env, signal };
  const choice = await chooseDesignModel(flags.model, search);
  const administrator = await chooseAdministrator(flags.administrator, { strategy, preset }, search);
  const folder = await openDesignFolder({
    path: resolve(host.cwd, flags.out ?? defaultFolder(named)),
    cwd: host.cwd,
    requirement,
    settings: {
      strategy,
      preset,
      model: choice.label,
      without: parts,
      maxRounds,
      explicitConstraints: flags.explicitConstraints === true,
      administrator: administrator?.label,
    },
    force: flags.force === true,
    from,
  });
  const { tracing } = loaded.config;
  const asked = { requirement, strategy, preset, parts, dialects, choice, administrator };
  return { ...asked, maxRounds, maxCalls, folder, flags, tracing };
}

async function designOnce(
  job: DesignJob,
  context: CommandContext,
): Promise<{ readonly outcome: DesignOutcome; readonly elapsedMs: number }> {
  const { folder, requirement, strategy, preset, flags } = job;
  const { err, signal } = context;
  const line = startProgressLine(err);
  const startedAt = Date.now();
  const scratch = createScratchDatabases();
  const questioner = flags.ask === true ? questionsOnTerminal(context, line) : undefined;
  const progress = createDesignProgress(line, err, { verbose: flags.verbose === true, strategy, preset });
  try {
    const text2schema = createText2Schema({
      ...optionsOf(job, questioner, progress),
      scratch: () => scratch.open(),
      onEvent: fanOut([progress.onEvent, job.tracing?.onEvent]),
    });
    await folder.begin();
    const outcome = await text2schema.design(requirement, { signal, runId: folder.runId, artefacts: folder.given });
    return { outcome, elapsedMs: Date.now() - startedAt };
  } finally {
    questioner?.close();
    await line.stop();
    scratch.remove();
  }
}

function optionsOf(
  { strategy, preset, parts, choice, administrator, maxRounds, maxCalls, folder, flags }: DesignJob,
  questioner: Questioner | undefined,
  progress: DesignProgress,
): Text2SchemaOptions {
  return {
    model: choice.model,
    strategy,
    preset,
    switches: switchesWithout(parts),
    maxRounds,
    administrator: administrator?.model,
    explicitConstraints: flags.explicitConstraints === true,
    ...(maxCalls === undefined ? {} : { budget: { maxCalls } }),
    journal: folder.journal,
    onQuestion: questioner?.onQuestion,
    async onPhase(phase, artefacts) {
      progress.onPhase(phase, artefacts);
      await folder.writePhases(artefacts);
      return undefined;
    },
  };
}

async function readRequirementFile(named: string | undefined, { host }: CommandContext): Promise<string> {
  if (named === '-') return readAll(host.stdin, 'requirement');
  if (named !== undefined) return readTextFile(named, host.cwd, named);
  throw new AskemaError(
    'INPUT_INVALID',
    'REQUIREMENT is missing: askema design REQUIREMENT.md; `-` reads it from stdin.',
  );
}

/** `library.md` → `library.design`, in the working folder. */
function defaultFolder(named: string | undefined): string {
  const name = named === undefined || named === '-' ? 'requirement' : basename(named, extname(named));
  return `${name === '' ? 'requirement' : name}.design`;
}

/** Asks what a requirement leaves open. */
interface Questioner {
  readonly onQuestion: OnQuestion;
  /** Lets go of the input. */
  close(): void;
}

/**
 * Asks on the terminal, one line an answer; an empty line takes the assumption, and so does the end of the input. The
 * input is touched only when something is asked.
 */
function questionsOnTerminal({ host, err, signal }: CommandContext, line: ProgressLine): Questioner {
  const reader = createLineReader(host.stdin);
  return {
    async onQuestion(questions) {
      line.pause();
      const answers: (string | undefined)[] = [];
      for (const [index, { kind, question, quotes, assumption }] of questions.entries()) {
        const mark = kind === 'contradiction' ? err.yellow('contradiction: ') : '';
        const quoted = quotes.map((quote) => `  “${printableLines(quote)}”\n`).join('');
        await err.write(`\n${mark}${err.bold(`${index + 1}. ${printableLines(question)}`)}\n${quoted}`);
        await err.write(`  [${printableLines(assumption)}] `);
        const answer = await reader.next(signal);
        answers.push(answer === '' ? undefined : answer);
      }
      await err.write('\n');
      return answers;
    },
    close: () => reader.close(),
  };
}
