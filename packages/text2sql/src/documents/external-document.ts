/** A document that a question takes for granted: a glossary, a formula, the manual of a data set. Markdown or plain text. */
export interface ExternalDocument {
  /** For the prompt and for messages: a file name or a title. */
  readonly name: string;
  readonly text: string;
}
