/** A half-open range of UTF-16 code units in the source text: `source.slice(span.start, span.end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
