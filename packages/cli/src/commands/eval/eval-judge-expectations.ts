import { resolve } from 'node:path';
import { AskemaError } from '@askema/core';
import { type JudgedDesigns, judgeExpectations, loadSchemaDataset, readDesignRun } from '@askema/eval';
import { loadConfig } from '../../config/load-config.ts';
import { chooseDesignModel } from '../../flags/read-design-flags.ts';
import type { CommandContext, CommonFlags } from '../../process/command-context.ts';
import { fill, outFile } from './eval-list-expectations.ts';
import { readCount } from './read-eval-flags.ts';
import { findRunFolder } from './run-folder.ts';

export interface EvalJudgeExpectationsFlags extends CommonFlags {
  readonly expectations?: string | undefined;
  /** `NAME=DIR` each. */
  readonly designs?: readonly string[] | undefined;
  /** `NAME=DATASET`. */
  readonly gold?: string | undefined;
  readonly model?: string | undefined;
  readonly out?: string | undefined;
  readonly seed?: string | undefined;
  readonly concurrency?: string | undefined;
  readonly json?: true | undefined;
}

/** `askema eval judge-expectations`; returns the exit code: 1 where a requirement failed. */
export async function runEvalJudgeExpectations(
  flags: EvalJudgeExpectationsFlags,
  context: CommandContext,
): Promise<number> {
  const { host, signal } = context;
  if (flags.expectations === undefined)
    throw new AskemaError(
      'INPUT_INVALID',
      '--expectations is missing: the file that `askema eval list-expectations` wrote.',
    );
  const expectations = resolve(host.cwd, flags.expectations);
  const file = outFile(flags, host.cwd);
  const seed = readCount(flags.seed, '--seed', 0);
  const concurrency = readCount(flags.concurrency, '--concurrency');
  const designs = await readDesigns(flags, host.cwd);
  const loaded = await loadConfig(host.cwd, flags.config, context);
  const judge = await chooseDesignModel(flags.model, { loaded, env: host.env, signal });
  const what = designs.map(({ name }) => name).join(', ');
  return fill({ choice: judge, what, file, json: flags.json }, context, (onProgress) =>
    judgeExpectations({ expectations, designs, out: file, judge, seed, concurrency, onProgress, signal }),
  );
}

async function readDesigns(
  { designs = [], gold }: EvalJudgeExpectationsFlags,
  cwd: string,
): Promise<readonly JudgedDesigns[]> {
  const read: JudgedDesigns[] = [];
  for (const given of designs) {
    const [name, place] = splitName(given, '--designs', 'DIR');
    const run = await readDesignRun(findRunFolder(place, cwd));
    if (run === undefined)
      throw new AskemaError(
        'INPUT_INVALID',
        `${place} holds no designs; name the folder that \`askema eval design\` was given as --out.`,
      );
    read.push({ name, designs: run });
  }
  if (gold === undefined) return read;
  const [name, place] = splitName(gold, '--gold', 'DATASET');
  return [...read, { name, designs: await loadSchemaDataset(resolve(cwd, place)) }];
}

function splitName(given: string, option: string, what: string): readonly [string, string] {
  const at = given.indexOf('=');
  if (at > 0 && at < given.length - 1) return [given.slice(0, at), given.slice(at + 1)];
  throw new AskemaError(
    'INPUT_INVALID',
    `${option} ${JSON.stringify(given)} must be NAME=${what}, such as agent=runs/agent.`,
  );
}
