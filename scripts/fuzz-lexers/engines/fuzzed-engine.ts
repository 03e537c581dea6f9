import type { LexerTraits } from '@askema/core';

/** What an engine made of a text. */
export type EngineOutcome =
  /** It is no text of SQL to the engine. */
  | { readonly kind: 'rejected' }
  /** The engine's parser took it; what it names is not there, or cannot be computed. */
  | { readonly kind: 'failed'; readonly message: string }
  | {
      readonly kind: 'ran';
      /** By statement its rows of cells; names of columns are a row where they do not depend on white space. */
      readonly results: readonly (readonly (readonly unknown[])[])[];
      /** A statement wrote. */
      readonly wrote: boolean;
    };

/**
 * An engine whose own lexer is the oracle. It has a relation `m` with one row and the columns `m1` and `m2`, and a
 * relation `w (x)` to write to; what a text writes is undone.
 */
export interface FuzzedEngine {
  readonly lexer: LexerTraits;
  /** Quotes, comments and odd tokens of this engine, besides those that every text is built from. */
  readonly pieces: readonly string[];
  /** Whole literals of this engine; `…` stands for what is put inside. */
  readonly literals: readonly string[];
  /** The same for names in quotes. */
  readonly names: readonly string[];
  /** Why both may read the text differently, where that is known and written down; undefined where it is not. */
  known?(sql: string): string | undefined;
  run(sql: string): Promise<EngineOutcome>;
  stop(): Promise<void>;
}

/** Texts that may write run in a transaction that is undone. */
export const MAY_WRITE = /insert|delete/i;
