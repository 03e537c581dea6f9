import { basename, extname, resolve } from 'node:path';
import { AskemaError, type Dialect, didYouMean } from '@askema/core';
import { writeDdl } from '@askema/dialects';
import {
  createText2Schema,
  type DesignOutcome,
  type DesignPhase,
  STRATEGY_NAMES,
  type StrategyName,
  type Text2SchemaOptions,
} from '@askema/text2schema';
import { loadConfig } from '../config/load-config.ts';
import { createScratchDatabases } from '../database/scratch-databases.ts';
import { questionsOnTerminal } from '../design/ask-questions.ts';
import { dialectsNamed } from '../design/design-dialects.ts';
import { type DesignFolder, type DesignSettings, openDesignFolder, PHASES } from '../design/design-folder.ts';
import { createDesignProgress } from '../design/design-progress.ts';
import { printDesign } from '../design/print-design.ts';
import { schemaOf, writeOutputs } from '../design/write-outputs.ts';
import type { ReportFormat } from '../format/output-formats.ts';
import { resolveModel } from '../model/resolve-model.ts';
import { canConfirm } from '../terminal/confirm.ts';
import { parseCount } from '../terminal/parse-count.ts';
import { startProgressLine } from '../terminal/progress-line.ts';
import type { CommandContext, CommonFlags } from './command-context.ts';
import { readAll } from './read-input.ts';
import { readTextFile } from './read-text-file.ts';

export interface DesignFlags extends CommonFlags {
  readonly out?: string | undefined;
  readonly dialect?: readonly string[] | undefined;
  readonly strategy: string;
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

/** `askema design REQUIREMENT`; returns the exit code. */
export async function runDesign(
  named: string | undefined,
  flags: DesignFlags,
  context: CommandContext,
): Promise<number> {
  const { host, err } = context;
  const loaded = await loadConfig(host.cwd, flags.config);
  const requirement = await readRequirementFile(named, context);
  const strategy = oneOf(flags.strategy, STRATEGY_NAMES, '--strategy') as StrategyName;
  const from = flags.from === undefined ? undefined : (oneOf(flags.from, PHASES, '--from') as DesignPhase);
  const dialects = dialectsNamed(flags.dialect);
  const switches = switchesWithout(flags.without ?? [], strategy);
  const maxRounds = flags.maxRounds === undefined ? undefined : parseCount(flags.maxRounds, '--max-rounds');
  const budget =
    flags.maxCalls === undefined ? {} : { budget: { maxCalls: parseCount(flags.maxCalls, '--max-calls') } };
  if (flags.ask === true && !canConfirm(host)) {
    throw new AskemaError(
      'INPUT_INVALID',
      '--ask asks on a terminal, and there is none. Leave it out: assumptions hold.',
    );
  }
  const choice = await resolveModel({ flag: flags.model, loaded, env: host.env, signal: context.signal });
  if (choice.isFallback) {
    throw new AskemaError(
      'CONFIG_INVALID',
      'A design needs a language model, and none was found. `askema models` says how to get one.',
    );
  }
  const settings: DesignSettings = {
    strategy,
    model: choice.label,
    without: flags.without ?? [],
    maxRounds,
    explicitConstraints: flags.explicitConstraints === true,
  };
  const folder = await openDesignFolder({
    path: resolve(host.cwd, flags.out ?? defaultFolder(named)),
    cwd: host.cwd,
    requirement,
    settings,
    force: flags.force === true,
    from,
  });
  if (folder.isResumed) await err.write(`${err.dim('going on with what is there')}\n`);
  const options = {
    model: choice.model,
    strategy,
    switches,
    maxRounds,
    explicitConstraints: settings.explicitConstraints,
    ...budget,
  };
  const { outcome, elapsedMs } = await designOnce(requirement, options, folder, flags, context);
  return finish(outcome, { dialects, folder, flags, elapsedMs }, context);
}

async function designOnce(
  requirement: string,
  options: Text2SchemaOptions,
  folder: DesignFolder,
  flags: DesignFlags,
  context: CommandContext,
): Promise<{ readonly outcome: DesignOutcome; readonly elapsedMs: number }> {
  const { err, signal } = context;
  const line = startProgressLine(err);
  const startedAt = Date.now();
  const scratch = createScratchDatabases();
  try {
    const text2schema = createText2Schema({
      ...options,
      scratch: () => scratch.open(),
      journal: folder.journal,
      ...(flags.ask === true ? { onQuestion: questionsOnTerminal(context, line) } : {}),
      onPhase: async (_phase, artefacts) => {
        await folder.writePhases(artefacts);
        return undefined;
      },
      onEvent: createDesignProgress(line, err, { verbose: flags.verbose === true }),
    });
    const outcome = await text2schema.design(requirement, { signal, runId: folder.runId, artefacts: folder.given });
    return { outcome, elapsedMs: Date.now() - startedAt };
  } finally {
    await line.stop();
    scratch.remove();
  }
}

async function finish(
  outcome: DesignOutcome,
  given: {
    readonly dialects: readonly Dialect[];
    readonly folder: DesignFolder;
    readonly flags: DesignFlags;
    readonly elapsedMs: number;
  },
  context: CommandContext,
): Promise<number> {
  const { dialects, folder, flags, elapsedMs } = given;
  const schema = schemaOf(outcome);
  const written = await writeOutputs(outcome, schema, dialects, folder);
  const [first] = dialects;
  const ddl = schema === undefined || first === undefined ? undefined : writeDdl(schema, first);
  return printDesign(outcome, { ...written, ddl, format: flags.format, elapsedMs }, context);
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

const SWITCHES = {
  'product-manager': 'productManager',
  reviewer: 'reviewer',
  tests: 'tests',
  'error-routes': 'errorRoutes',
} as const;

/** @throws AskemaError `INPUT_INVALID` for an unknown part, or for a strategy that has none. */
export function switchesWithout(parts: readonly string[], strategy: StrategyName): Text2SchemaOptions['switches'] {
  const known = Object.keys(SWITCHES);
  if (parts.length > 0 && strategy !== 'schema-agent') {
    throw new AskemaError(
      'INPUT_INVALID',
      `--without belongs to --strategy schema-agent; ${strategy} has no such parts.`,
    );
  }
  return Object.fromEntries(
    parts.map((part) => [SWITCHES[oneOf(part, known, '--without') as keyof typeof SWITCHES], false]),
  );
}

/** @throws AskemaError `INPUT_INVALID` with the nearest name. */
function oneOf(value: string, known: readonly string[], flag: string): string {
  if (known.includes(value)) return value;
  const near = didYouMean(value, known);
  throw new AskemaError(
    'INPUT_INVALID',
    `${flag} ${JSON.stringify(value)} is not known. ${near === '' ? '' : `${near} `}There are ${known.join(', ')}.`,
  );
}
