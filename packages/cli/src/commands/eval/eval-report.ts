import { readRun } from '@askema/eval';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { chooseReportFormat, deliverReport, type ReportFlags } from './deliver-report.ts';
import { findRunFolder } from './run-folder.ts';

export type EvalReportFlags = ReportFlags;

/** `askema eval report DIR`: writes nothing into the folder, so the run may still be going. Returns the exit code. */
export async function runEvalReport(
  directory: string,
  flags: EvalReportFlags,
  context: CommandContext,
): Promise<number> {
  const format = chooseReportFormat(flags, '--out');
  const run = await readRun(findRunFolder(directory, context.host.cwd));
  await deliverReport(run, { format, file: flags.out }, context);
  return EXIT.ok;
}
