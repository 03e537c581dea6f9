/**
 * Asking with the plain flow: `@askema/text2sql/ask`. A program that needs no other flow starts sooner with it, because
 * it loads a fifth of the package and none of the inspection of SQL.
 */
import { plain } from './flows/plain/plain.ts';
import { openText2Sql } from './open-text2sql.ts';
import type { OpenText2Sql, Text2SqlOptions } from './text2sql-options.ts';

export { plain } from './flows/plain/plain.ts';
export { decodeOutcome, encodeOutcome, type OutcomeJson } from './outcome/outcome-json.ts';
export { ASK_BACKS, type AskBack } from './question/ask-back.ts';
export type * from './question/outcome-parts.ts';
export type { AskOptions, OpenText2Sql as Text2Sql, Text2SqlOptions } from './text2sql-options.ts';

/**
 * As `createText2Sql` of `@askema/text2sql`, but that `plain()` is always the default flow, and without the method
 * `conversation`, which would load what reads messages: `conversation({ databases })` of `@askema/text2sql` takes it.
 *
 * @throws AskemaError as that one.
 */
export function createText2Sql(options: Text2SqlOptions): OpenText2Sql {
  return openText2Sql(options, () => plain());
}
