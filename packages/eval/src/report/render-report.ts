import { AskemaError } from '@askema/core';
import type { CompareOptions, StoredRun } from '../compare/index.ts';

/** `html` is one page that needs nothing else: no network, no further file, no script to be read. */
export type ReportFormat = 'text' | 'markdown' | 'html';

export interface ReportOptions extends CompareOptions {
  /** Default: by the ending of the file (`.html`, `.htm`, `.md`, `.txt`); `html` otherwise. */
  readonly format?: ReportFormat | undefined;
  /** Of the page. Default: from dataset, model and flow. */
  readonly title?: string | undefined;
}

/** One run, or two to be compared: the first is what was there, the second what is new. */
export type ReportInput = StoredRun | readonly [StoredRun] | readonly [StoredRun, StoredRun];

/**
 * The report as a text: of one run, or of a second one held against a first.
 *
 * @throws AskemaError `INPUT_INVALID` for options out of range.
 */
export function renderReport(input: ReportInput, options: ReportOptions = {}): string {
  throw new AskemaError('INTERNAL', `Not there yet: ${JSON.stringify(options)} ${typeof input}`);
}

/**
 * Writes the report to a file, whole or not at all; folders are made. Resolves with the path.
 *
 * @throws AskemaError `INPUT_INVALID` for options out of range, or a file that cannot be written.
 */
export async function writeReport(input: ReportInput, file: string, options: ReportOptions = {}): Promise<string> {
  renderReport(input, options);
  return file;
}
