/** Cells as text, as they came. */
export type AnswerRow = readonly (string | null)[];

/** A session on which statements of our own run. */
export interface AskServer {
  simple(sql: string): Promise<readonly AnswerRow[]>;
  batch<Name extends string>(
    statements: Readonly<Record<Name, string>>,
  ): Promise<Readonly<Record<Name, readonly AnswerRow[]>>>;
}
