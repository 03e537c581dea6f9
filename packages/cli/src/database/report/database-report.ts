import type { DiagnosisFinding, ReadOnlyStanding, SerializedError } from '@askema/core';
import type { VisibleContent } from './visible-content.ts';

/** What was done, in this order. */
export type StepName = 'connect' | 'query' | 'schema' | 'refuse a write';

/** One step of `askema check`. */
export interface ReportStep {
  readonly name: StepName;
  readonly elapsedMs: number;
  /** What was seen, in a few words. */
  readonly outcome: string;
  /** Why it failed. */
  readonly error?: SerializedError | undefined;
}

/** What `askema check` says of a database; what a failed step would have told is absent. */
export interface DatabaseReport {
  readonly schemaVersion: 1;
  /** The name of the adapter, or the address as it may be shown. */
  readonly database: string;
  /** True where no step failed and no finding is an error. */
  readonly ok: boolean;
  readonly dialect?: string | undefined;
  readonly server?: string | undefined;
  readonly user?: string | undefined;
  readonly place?: Readonly<Record<string, string>> | undefined;
  readonly readOnly?: ReadOnlyStanding | undefined;
  readonly visible?: VisibleContent | undefined;
  readonly findings: readonly DiagnosisFinding[];
  readonly steps: readonly ReportStep[];
  /** Why nothing more could be said. */
  readonly error?: SerializedError | undefined;
}
