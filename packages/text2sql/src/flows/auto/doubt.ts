/** What speaks against an answer, found without a model. */
export interface Doubt {
  /** Of a finding, or of an implausible result. */
  readonly code: string;
  /** On one line; it may quote names and cells. */
  readonly text: string;
  /** What surely is a mistake. */
  readonly isError: boolean;
}
