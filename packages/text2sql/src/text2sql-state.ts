/** The shared state of all text2sql flows. */
export interface Text2SqlState {
  readonly naturalQuery: string;
}
