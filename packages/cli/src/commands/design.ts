import { basename, extname, resolve } from 'node:path';
import { AskemaError, type Dialect } from '@askema/core';
import {
  checkRequirement,
  createText2Schema,
  type DesignOutcome,
  type StrategyName,
  type Text2SchemaOptions,
} from '@askema/text2schema';
import { loadConfig } from '../config/load-config.ts';
import { createScratchDatabases } from '../database/scratch-databases.ts';
import { type Questioner, questionsOnTerminal } from '../design/ask-questions.ts';
import { dialectsNamed } from '../design/design-dialects.ts';
import { type DesignFolder, openDesignFolder } from '../design/design-folder.ts';
import { createDesignProgress } from '../design/design-progress.ts';
import { PHASES } from '../design/phase-files.ts';
import { printDesign } from '../design/print-design.ts';
import {
  chooseDesignModel,
  type DesignPart,
  oneOf,
  readParts,
  readStrategy,
  switchesWithout,
} from '../design/read-design-flags.ts';
import { schemaOf, writeOutputs } from '../design/write-outputs.ts';
import type { ReportFormat } from '../format/output-formats.ts';
import type { ModelChoice } from '../model/resolve-model.ts';
import { canConfirm } from '../terminal/confirm.ts';
import { parseCount } from '../terminal/parse-count.ts';
import { printableLines } from '../terminal/printable.ts';
import { startProgressLine } from '../terminal/progress-line.ts';
import type { CommandContext, CommonFlags } from './command-context.ts';
import { readAll } from './read-input.ts';
import { readTextFile } from './read-text-file.ts';

export interface DesignFlags extends CommonFlags {
  readonly out?: string | undefined;
  readonly dialect?: readonly string[] | undefined;
  readonly strategy?: string | undefined;
  readonly model?: string | undefined;
  readonly without?: readonly string[] | undefined;
  readonly from?: string | undefined;
  readonly ask?: boolean | undefined;
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
  readonly parts: readonly DesignPart[];
  readonly dialects: readonly Dialect[];
  readonly choice: ModelChoice;
  readonly maxRounds: number | undefined;
  readonly maxCalls: number | undefined;
  readonly folder: DesignFolder;
  readonly flags: DesignFlags;
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
  const parts = readParts(flags.without, strategy);
  const from = flags.from === undefined ? undefined : oneOf(flags.from, PHASES, 'phase', 'Phases');
  if (from !== undefined && strategy !== 'schema-agent')
    throw new AskemaError('INPUT_INVALID', `--from belongs to --strategy schema-agent; ${strategy} has no phases.`);
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
  const loaded = await loadConfig(host.cwd, flags.config);
  const requirement = checkRequirement(await readRequirementFile(named, context));
  const choice = await chooseDesignModel(flags.model, { loaded, env: host.env, signal });
  const folder = await openDesignFolder({
    path: resolve(host.cwd, flags.out ?? defaultFolder(named)),
    cwd: host.cwd,
    requirement,
    settings: {
      strategy,
      model: choice.label,
      without: parts,
      maxRounds,
      explicitConstraints: flags.explicitConstraints === true,
    },
    force: flags.force === true,
    from,
  });
  return { requirement, strategy, parts, dialects, choice, maxRounds, maxCalls, folder, flags };
}

async function designOnce(
  job: DesignJob,
  context: CommandContext,
): Promise<{ readonly outcome: DesignOutcome; readonly elapsedMs: number }> {
  const { folder, requirement, strategy, flags } = job;
  const { err, signal } = context;
  const line = startProgressLine(err);
  const startedAt = Date.now();
  const scratch = createScratchDatabases();
  const questioner = flags.ask === true ? questionsOnTerminal(context, line) : undefined;
  try {
    const text2schema = createText2Schema({
      ...optionsOf(job, questioner),
      scratch: () => scratch.open(),
      onEvent: createDesignProgress(line, err, { verbose: flags.verbose === true, strategy }),
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
  { strategy, parts, choice, maxRounds, maxCalls, folder, flags }: DesignJob,
  questioner: Questioner | undefined,
): Text2SchemaOptions {
  return {
    model: choice.model,
    strategy,
    switches: switchesWithout(parts),
    maxRounds,
    explicitConstraints: flags.explicitConstraints === true,
    ...(maxCalls === undefined ? {} : { budget: { maxCalls } }),
    journal: folder.journal,
    onQuestion: questioner?.onQuestion,
    async onPhase(_phase, artefacts) {
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
