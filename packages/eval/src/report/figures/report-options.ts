import type { StoredRun } from '../../compare/read-run.ts';
import type { CompareOptions } from '../../compare/run-comparison.ts';

/** `html` is one page that needs nothing else: no network, no further file, no script to be read. */
export type ReportFormat = 'text' | 'markdown' | 'html';

/** What `renderReport` and `writeReport` take beside the runs. */
export interface ReportOptions extends CompareOptions {
  /** Default: by the ending of the file (`.html`, `.htm`, `.md`, `.txt`); `html` otherwise. */
  readonly format?: ReportFormat | undefined;
  /** Of the report. Default: from dataset, model and flow. */
  readonly title?: string | undefined;
}

/** One run, or two to be compared: the first is what was there, the second what is new. */
export type ReportInput = StoredRun | readonly [StoredRun] | readonly [StoredRun, StoredRun];
