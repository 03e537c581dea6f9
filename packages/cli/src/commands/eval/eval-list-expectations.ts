import { resolve } from 'node:path';
import { AskemaError } from '@askema/core';
import {
  type ExpectationsSummary,
  formatExpectationsSummary,
  type LinesProgress,
  listExpectations,
  loadSchemaDataset,
} from '@askema/eval';
import { loadConfig } from '../../config/load-config.ts';
import { chooseDesignModel } from '../../flags/read-design-flags.ts';
import { escapeJson } from '../../format/format-json.ts';
import type { ModelChoice } from '../../model/resolve-model.ts';
import type { CommandContext, CommonFlags } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { printableLines } from '../../terminal/printable.ts';
import { startProgressLine } from '../../terminal/progress-line.ts';
import { readCount } from './read-eval-flags.ts';

export interface EvalListExpectationsFlags extends CommonFlags {
  readonly model?: string | undefined;
  readonly out?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly limit?: string | undefined;
  readonly concurrency?: string | undefined;
  readonly json?: true | undefined;
}

/** `askema eval list-expectations DATASET`; returns the exit code: 1 where a requirement failed. */
export async function runEvalListExpectations(
  place: string,
  flags: EvalListExpectationsFlags,
  context: CommandContext,
): Promise<number> {
  const { host, signal } = context;
  const file = outFile(flags, host.cwd);
  const selection = { ids: flags.ids, limit: readCount(flags.limit, '--limit') };
  const concurrency = readCount(flags.concurrency, '--concurrency');
  const dataset = await loadSchemaDataset(resolve(host.cwd, place));
  const loaded = await loadConfig(host.cwd, flags.config, context);
  const lister = await chooseDesignModel(flags.model, { loaded, env: host.env, signal });
  return fill({ choice: lister, what: dataset.name, file, json: flags.json }, context, (onProgress) =>
    listExpectations({ dataset, out: file, lister, ...selection, concurrency, onProgress, signal }),
  );
}

/** @throws AskemaError `INPUT_INVALID` where there is none. */
export function outFile({ out }: { readonly out?: string | undefined }, cwd: string): string {
  if (out === undefined)
    throw new AskemaError('INPUT_INVALID', '--out is missing: the JSONL file, where a second start goes on.');
  return resolve(cwd, out);
}

/** Shows how far a file of expectations or verdicts is, and what it came to; returns the exit code. */
export async function fill(
  about: {
    readonly choice: ModelChoice;
    readonly what: string;
    readonly file: string;
    readonly json: true | undefined;
  },
  { out, err, signal }: CommandContext,
  work: (onProgress: (progress: LinesProgress) => void) => Promise<ExpectationsSummary>,
): Promise<number> {
  const { choice, what, file } = about;
  await err.write(`${choice.label} (${choice.origin}) · ${printableLines(what)} · ${printableLines(file)}\n`);
  const line = startProgressLine(err);
  try {
    const summary = await work(({ done, total }) => line.show(`${done}/${total}`));
    await line.stop();
    const text =
      about.json === true
        ? escapeJson(JSON.stringify(summary, null, 2))
        : printableLines(formatExpectationsSummary(summary));
    await out.write(`${text}\n`);
    if (signal.aborted) return EXIT.interrupted;
    return summary.failures.length === 0 ? EXIT.ok : EXIT.failed;
  } finally {
    await line.stop();
  }
}
