import { resolve } from 'node:path';
import { AskemaError } from '@askema/core';
import { type FittedConfidence, fitConfidence, readRun, writeNamedFile } from '@askema/eval';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { printable } from '../../terminal/printable.ts';
import { findRunFolder } from './run-folder.ts';

export interface EvalCalibrateFlags {
  readonly target?: string | undefined;
  readonly out?: string | undefined;
}

/** `askema eval calibrate DIRS`; returns the exit code. */
export async function runEvalCalibrate(
  directories: readonly string[],
  flags: EvalCalibrateFlags,
  { host, out, err }: CommandContext,
): Promise<number> {
  const target = readTarget(flags.target);
  const runs = await Promise.all(directories.map((directory) => readRun(findRunFolder(directory, host.cwd))));
  const today = new Date().toISOString().slice(0, 10);
  const results = runs.flatMap((run) => run.results);
  const fitted = fitConfidence(results, { flow: 'auto', target, today });
  await out.write(`${report(fitted)}\n`);
  if (flags.out === undefined) {
    await err.write('Nothing is written: name a file with --out to keep the table.\n');
    return EXIT.ok;
  }
  await writeNamedFile(resolve(host.cwd, flags.out), `${JSON.stringify(fitted.table, null, 2)}\n`, 'The table');
  await err.write(
    `The table is in ${printable(flags.out)}: askema ask … --flow auto --confidence ${printable(flags.out)}\n`,
  );
  return EXIT.ok;
}

function readTarget(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const share = Number(text.replace(/%$/, '')) / 100;
  if (text.trim() !== '' && share >= 0.5 && share < 1) return share;
  throw new AskemaError(
    'INPUT_INVALID',
    `--target is a percentage of at least 50 and below 100, such as 97; here it is ${JSON.stringify(text.slice(0, 40))}.`,
  );
}

function report({ table, target, leaveOneOut }: FittedConfidence): string {
  const { sure, confidence } = leaveOneOut;
  const weights = Object.entries(table.weights).sort(([, a], [, b]) => a - b);
  return [
    `${table.right} of ${table.questions} answers of ${printable(table.model)} are right: ${percent(table.right / table.questions)}.`,
    ...(confidence?.ranking === undefined
      ? []
      : [
          `Leave-one-out, a right answer has a higher confidence than a wrong one in ${percent(confidence.ranking)} of all pairs (chance: 50 %).`,
        ]),
    table.sureFrom === null || sure === undefined
      ? `No threshold keeps ${percent(target)}: with this table no answer is sure.`
      : `Sure from a confidence of ${percent(table.sureFrom)} on. Leave-one-out, ${percent(sure.sure.coverage)} of the questions are sure, and ${sure.sure.right} of these ${sure.sure.questions} right: ${percent(sure.sure.right / Math.max(1, sure.sure.questions))}.`,
    '',
    'What each signal adds to the log-odds of being right:',
    ...weights.map(([name, weight]) => `  ${weight.toFixed(2).padStart(6)}  ${printable(name)}`),
  ].join('\n');
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
