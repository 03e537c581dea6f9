import { AskemaError } from '@askema/core';
import type { DesignOutcome } from '../model/design-outcome.ts';

/** Options of {@link writeDesignReport}. */
export interface DesignReportOptions {
  /** BCP 47. Default: the language of the outcome. English where there are no texts in that language. */
  readonly language?: string | undefined;
}

/** A Markdown report of all phases of a design, in the language of the requirement. */
export function writeDesignReport(_outcome: DesignOutcome, _options: DesignReportOptions = {}): string {
  throw new AskemaError('CAPABILITY_UNSUPPORTED', 'Reports cannot be written yet.');
}
