/**
 * Asking with the plain flow: `@askema/text2sql/ask`. A program that needs no other flow starts sooner with it, because
 * it loads a fifth of the package and none of the inspection of SQL.
 */
export { createText2Sql } from './create-text2sql.ts';
export { plain } from './flows/plain/plain.ts';
export { decodeOutcome, encodeOutcome, type OutcomeJson } from './outcome/outcome-json.ts';
export type * from './question/outcome-parts.ts';
export type { AskBack } from './question/question-deps.ts';
export type { AskOptions, Text2Sql, Text2SqlOptions } from './text2sql-options.ts';
