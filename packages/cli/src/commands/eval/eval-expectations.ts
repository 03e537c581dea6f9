import { resolve } from 'node:path';
import { formatExpectationReport, reportExpectations } from '@askema/eval';
import { escapeJson } from '../../format/format-json.ts';
import type { ExpectationFormat } from '../../format/output-formats.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { printableLines } from '../../terminal/printable.ts';

export interface EvalExpectationsFlags {
  readonly baseline?: string | undefined;
  readonly format?: ExpectationFormat | undefined;
}

/** `askema eval expectations FILE…`; returns the exit code. */
export async function runEvalExpectations(
  files: readonly string[],
  { baseline, format = 'text' }: EvalExpectationsFlags,
  { host, out }: CommandContext,
): Promise<number> {
  const report = await reportExpectations(
    files.map((file) => resolve(host.cwd, file)),
    { baseline },
  );
  await out.write(
    format === 'json'
      ? `${escapeJson(JSON.stringify(report, null, 2))}\n`
      : printableLines(formatExpectationReport(report, format)),
  );
  return EXIT.ok;
}
