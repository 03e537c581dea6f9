import type { Dialect } from '@askema/core';
import type { QueryShape } from './query-shape.ts';

/**
 * Why there is no shape: the text is not accepted; no statement of it is a query; it exceeds a limit that protects the
 * parser; the time is over; the parser broke; or parts of the parser's tree could not be found in the source, so that
 * their spans would be guesses.
 */
export type ParseFailure = 'syntax' | 'no query' | 'too complex' | 'time limit' | 'parser broke' | 'not located';

export type ParseResult =
  | { readonly ok: true; readonly shape: QueryShape }
  | {
      readonly ok: false;
      readonly failure: ParseFailure;
      /** A sentence for a person or a model. */
      readonly reason: string;
      /** Where, as UTF-16 offset in the source, if the parser said. */
      readonly position?: number | undefined;
    };

export interface ParseOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds; the parser's own default otherwise. */
  readonly timeoutMs?: number | undefined;
}

/** Parses SQL. Not being able to is normal and no error. */
export interface SqlParser {
  /**
   * The shape of the last query in `sql`.
   *
   * @throws AskemaError `ABORTED` by the signal, `DEPENDENCY_MISSING` when the back-end is not installed,
   * `CONFIG_INVALID` when its program cannot be started. Any mistake in `sql` gives `ok: false`.
   */
  parse(sql: string, dialect: Dialect, options?: ParseOptions): Promise<ParseResult>;
}
