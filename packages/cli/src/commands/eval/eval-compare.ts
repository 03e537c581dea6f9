import { extname, resolve } from 'node:path';
import { AskemaError } from '@askema/core';
import {
  compareDesigns,
  compareRuns,
  formatDesignComparison,
  readDesignRun,
  readRun,
  type StoredDesignRun,
  writeNamedFile,
} from '@askema/eval';
import { escapeJson } from '../../format/format-json.ts';
import type { ComparisonFormat } from '../../format/output-formats.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { printableLines } from '../../terminal/printable.ts';
import { chooseReportFormat, deliverReport } from './deliver-report.ts';
import { findRunFolder } from './run-folder.ts';

export interface EvalCompareFlags {
  readonly format?: ComparisonFormat | undefined;
  /** A file, instead of stdout. */
  readonly out?: string | undefined;
}

/** `askema eval compare BEFORE AFTER`; returns the exit code. */
export async function runEvalCompare(
  before: string,
  after: string,
  flags: EvalCompareFlags,
  context: CommandContext,
): Promise<number> {
  const format = chooseFormat(flags);
  const [first, second] = [before, after].map((directory) => findRunFolder(directory, context.host.cwd));
  if (first === undefined || second === undefined || first === second) {
    throw new AskemaError('INPUT_INVALID', `${before} and ${after} are the same run; name two.`);
  }
  const [designsBefore, designsAfter] = [await readDesignRun(first), await readDesignRun(second)];
  if (designsBefore !== undefined && designsAfter !== undefined) {
    checkShared({ before, after }, [designsBefore, designsAfter], 'requirement');
    await deliver(designComparison(designsBefore, designsAfter, format), flags.out, context);
    return EXIT.ok;
  }
  if (designsBefore !== undefined || designsAfter !== undefined) {
    const [designs, questions] = designsBefore === undefined ? [after, before] : [before, after];
    throw new AskemaError(
      'INPUT_INVALID',
      `${designs} is a run of designs and ${questions} is none; compare two runs of \`askema eval design\`, or two of \`askema eval run\`.`,
    );
  }
  const a = await readRun(first);
  const b = await readRun(second);
  checkShared({ before, after }, [a, b], 'question');
  if (format === 'json') await deliver(asJson(compareRuns(a, b)), flags.out, context);
  else await deliverReport([a, b], { format, file: flags.out }, context);
  return EXIT.ok;
}

function chooseFormat({ format, out }: EvalCompareFlags): ComparisonFormat {
  if (format !== undefined) return format;
  return out !== undefined && extname(out).toLowerCase() === '.json' ? 'json' : chooseReportFormat({ out }, '--out');
}

type NamedRun = Pick<StoredDesignRun, 'run'> & { readonly results: readonly { readonly id: string }[] };

/** @throws AskemaError `INPUT_INVALID` where nothing can be compared. */
function checkShared(
  { before, after }: { readonly before: string; readonly after: string },
  [a, b]: readonly [NamedRun, NamedRun],
  noun: string,
): void {
  const ids = new Set(a.results.map(({ id }) => id));
  if (b.results.some(({ id }) => ids.has(id))) return;
  throw new AskemaError(
    'INPUT_INVALID',
    `${before} (${a.run.dataset.name}, ${a.results.length} results) and ${after} (${b.run.dataset.name}, ${b.results.length} results) have no ${noun} in common, so nothing can be compared.`,
  );
}

function designComparison(a: StoredDesignRun, b: StoredDesignRun, format: ComparisonFormat): string {
  if (format === 'html')
    throw new AskemaError(
      'INPUT_INVALID',
      'Runs of designs have no page yet; take --format text, markdown or json, or a file that ends in .txt, .md or .json.',
    );
  const comparison = compareDesigns(a, b);
  return format === 'json' ? asJson(comparison) : printableLines(formatDesignComparison(comparison, format));
}

function asJson(comparison: unknown): string {
  return `${escapeJson(JSON.stringify(comparison, null, 2))}\n`;
}

async function deliver(text: string, file: string | undefined, { host, out, err }: CommandContext): Promise<void> {
  if (file === undefined) return void (await out.write(text));
  const place = resolve(host.cwd, file);
  await writeNamedFile(place, text, 'The report');
  await err.write(`The report is in ${printableLines(place)}\n`);
}
