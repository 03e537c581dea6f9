import type { ReportFormat } from '../../../format/output-formats.ts';
import type { AskingFlags } from '../../ask/open-asked.ts';

export interface ChatFlags extends AskingFlags {
  readonly format: ReportFormat;
  readonly chart?: boolean | undefined;
  readonly summarize?: boolean | undefined;
  readonly id?: string | undefined;
  readonly continue?: boolean | undefined;
  readonly list?: boolean | undefined;
}
