import { resolve } from 'node:path';
import { AskemaError } from '@askema/core';
import { formatSummary, mergeRuns } from '@askema/eval';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { printableLines } from '../../terminal/printable.ts';
import { findRunFolder } from './run-folder.ts';

export interface EvalMergeFlags {
  readonly out?: string | undefined;
  readonly force?: true | undefined;
}

/** `askema eval merge DIRS`; returns the exit code. */
export async function runEvalMerge(
  directories: readonly string[],
  flags: EvalMergeFlags,
  { host, out, err }: CommandContext,
): Promise<number> {
  if (flags.out === undefined)
    throw new AskemaError('INPUT_INVALID', '--out is missing: the folder for the run that the parts become.');
  const parts = directories.map((directory) => findRunFolder(directory, host.cwd));
  const { summary, repeated, missingShards } = await mergeRuns(parts, resolve(host.cwd, flags.out), {
    force: flags.force,
  });
  await out.write(`${printableLines(formatSummary(summary))}\n`);
  if (repeated > 0)
    await err.write(`${repeated} questions are in several parts; the result that was finished last counts.\n`);
  if (missingShards.length > 0)
    await err.write(
      `${err.yellow(`Not among these folders: part ${missingShards.join(', ')}.`)} Its questions are missing.\n`,
    );
  return EXIT.ok;
}
