import { extname, resolve } from 'node:path';
import { AskemaError } from '@askema/core';
import { type ReportInput, renderReport, writeReport } from '@askema/eval';
import type { EvaluationFormat } from '../../format/output-formats.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { printableLines } from '../../terminal/printable.ts';

/** Where a report goes and how it is written. */
export interface ReportFlags {
  readonly format?: EvaluationFormat | undefined;
  /** A file, instead of stdout. */
  readonly out?: string | undefined;
}

const FORMAT_OF_ENDING: Readonly<Record<string, EvaluationFormat>> = {
  '.html': 'html',
  '.htm': 'html',
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.txt': 'text',
};

/**
 * The format of a report: the one that was asked for, else that of the file's ending, else text.
 *
 * @throws AskemaError `INPUT_INVALID` for a file whose ending says nothing, when no format was asked for.
 */
export function chooseReportFormat({ format, out }: ReportFlags, option: string): EvaluationFormat {
  if (format !== undefined) return format;
  if (out === undefined) return 'text';
  const known = FORMAT_OF_ENDING[extname(out).toLowerCase()];
  if (known !== undefined) return known;
  throw new AskemaError(
    'INPUT_INVALID',
    `${option} ${JSON.stringify(out)} does not say by its ending how the report is to be written; let it end in .html, .md or .txt${option === '--out' ? ', or give --format' : ''}.`,
  );
}

/** Writes the report of one run, or of two compared, to the file or to stdout. */
export async function deliverReport(
  input: ReportInput,
  { format, file }: { readonly format: EvaluationFormat; readonly file?: string | undefined },
  { host, out, err }: Pick<CommandContext, 'host' | 'out' | 'err'>,
): Promise<void> {
  if (file !== undefined) {
    const written = await writeReport(input, resolve(host.cwd, file), { format });
    await err.write(`The report is in ${printableLines(written)}\n`);
    return;
  }
  const text = renderReport(input, { format });
  const shown = format === 'html' ? text : printableLines(text);
  await out.write(shown.endsWith('\n') ? shown : `${shown}\n`);
}
