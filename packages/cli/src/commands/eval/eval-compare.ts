import { AskemaError } from '@askema/core';
import { readRun } from '@askema/eval';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { chooseReportFormat, deliverReport, type ReportFlags } from './deliver-report.ts';
import { findRunFolder } from './run-folder.ts';

export type EvalCompareFlags = ReportFlags;

/** `askema eval compare BEFORE AFTER`; returns the exit code. */
export async function runEvalCompare(
  before: string,
  after: string,
  flags: EvalCompareFlags,
  context: CommandContext,
): Promise<number> {
  const format = chooseReportFormat(flags, '--out');
  const [first, second] = [before, after].map((directory) => findRunFolder(directory, context.host.cwd));
  if (first === undefined || second === undefined || first === second) {
    throw new AskemaError('INPUT_INVALID', `${before} and ${after} are the same run; name two.`);
  }
  const a = await readRun(first);
  const b = await readRun(second);
  const ids = new Set(a.results.map(({ id }) => id));
  if (!b.results.some(({ id }) => ids.has(id))) {
    throw new AskemaError(
      'INPUT_INVALID',
      `${before} (${a.run.dataset.name}, ${a.results.length} results) and ${after} (${b.run.dataset.name}, ${b.results.length} results) have no question in common, so nothing can be compared.`,
    );
  }
  await deliverReport([a, b], { format, file: flags.out }, context);
  return EXIT.ok;
}
