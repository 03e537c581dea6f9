/** A piece of a question. Offsets are UTF-16 code units into the question. */
export interface Token {
  readonly kind: TokenKind;
  /** As it stands in the question; without the marks for `quoted`. */
  readonly text: string;
  readonly lower: string;
  /** The form under which a word and a name are compared; see `lemma`. */
  readonly lemma: string;
  readonly start: number;
  readonly end: number;
  /** Of `number`. */
  readonly value?: number | undefined;
  /** Of `date`: ISO 8601, a date or a date with a time. */
  readonly isoDate?: string | undefined;
}

/**
 * - `word`: letters and digits; hyphens split.
 * - `number`: digits, with thousands separators and a decimal point; a unit behind it is a word of its own.
 * - `date`: an ISO 8601 date.
 * - `quoted`: everything between quotation marks.
 * - `possessive`: the ending of "singer's" and "singers'".
 * - `symbol`: `>`, `<=`, `%`, `$` and the like.
 * - `stop`: the end of a sentence. `comma`: `,`, `;`, `:`. `other`: anything else that has no meaning here.
 */
export type TokenKind = 'word' | 'number' | 'date' | 'quoted' | 'possessive' | 'symbol' | 'stop' | 'comma' | 'other';
