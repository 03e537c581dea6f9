/** A line that was typed or piped in. */
export interface ChatLine {
  readonly text: string;
  /** True where it was longer than a line may be; `text` is its beginning. */
  readonly isCut?: boolean | undefined;
}

/** Where messages come from. */
export interface ChatInput {
  readonly isTerminal: boolean;
  /** The next line; undefined at the end. */
  next(prompt: string): Promise<ChatLine | undefined>;
  /** Gives the terminal to somebody else for as long as `use` takes. */
  lend<T>(use: () => Promise<T>): Promise<T>;
  /** Ends it: `next` gives nothing any more. */
  close(): void;
}
