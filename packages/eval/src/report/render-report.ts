import path from 'node:path';
import { AskemaError } from '@askema/core';
import { compareRuns } from '../compare/compare-runs.ts';
import type { StoredRun } from '../compare/read-run.ts';
import type { RunComparison } from '../compare/run-comparison.ts';
import { writeNamedFile } from '../run/replace-file.ts';
import type { ReportFormat, ReportInput, ReportOptions } from './figures/report-options.ts';
import { renderPage } from './html/render-page.ts';
import { comparisonBlocks } from './text/comparison-blocks.ts';
import { writeMarkdown, writeText } from './text/document.ts';
import { runBlocks } from './text/run-blocks.ts';

/**
 * The report as a text: of one run, or of a second one held against a first.
 *
 * @throws AskemaError `CONFIG_INVALID` for options out of range, `INPUT_INVALID` for more than two runs.
 */
export function renderReport(input: ReportInput, options: ReportOptions = {}): string {
  const runs: readonly StoredRun[] = 'results' in input ? [input] : input;
  const [first, second] = runs;
  if (first === undefined || runs.length > 2)
    throw new AskemaError('INPUT_INVALID', `A report is of one run or of two; there are ${runs.length}.`);
  const format = options.format ?? 'html';
  if (format === 'html') return renderPage(first, second, options);
  const blocks =
    second === undefined
      ? runBlocks(first, options)
      : comparisonBlocks(compareRuns(first, second, options), options.title);
  return format === 'markdown' ? writeMarkdown(blocks) : writeText(blocks);
}

/**
 * Writes the report to a file, whole or not at all; folders are made. Resolves with the path.
 *
 * @throws AskemaError `CONFIG_INVALID` for options out of range, `INPUT_INVALID` for a file that cannot be written.
 */
export async function writeReport(input: ReportInput, file: string, options: ReportOptions = {}): Promise<string> {
  const report = renderReport(input, { ...options, format: options.format ?? formatOf(file) });
  await writeNamedFile(file, report, 'The report');
  return file;
}

function formatOf(file: string): ReportFormat {
  const ending = path.extname(file).toLowerCase();
  if (ending === '.md' || ending === '.markdown') return 'markdown';
  return ending === '.txt' ? 'text' : 'html';
}

/** A comparison for a terminal (`text`, without colours) or as Markdown. Default: `text`. */
export function formatComparison(comparison: RunComparison, format: 'text' | 'markdown' = 'text'): string {
  const blocks = comparisonBlocks(comparison);
  return format === 'markdown' ? writeMarkdown(blocks) : writeText(blocks);
}
