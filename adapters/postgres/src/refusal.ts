import { notReadOnlyError, refuseText } from '@askema/adapter-kit';
import type { Access, AskemaError } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import { isWord, nameOfToken, significantTokens } from '@askema/sql';
import type { Reading } from './connection/transaction.ts';
import { findSuspect } from './functions/find-suspect.ts';
import { SECRET_SETTINGS } from './functions/function-queries.ts';

/**
 * Why a statement may not run, by its text; undefined when nothing speaks against it. The engine has the last word.
 *
 * @param begun undefined where any function may be called.
 * @throws AskemaError when its names lead to a function that is not known to only read. The server must not even parse
 *   such a statement: it computes literals of ranges, rows and arrays meanwhile, with the checks of their domains.
 */
export async function refusalOf(
  sql: string,
  access: Access,
  begun: Reading | undefined,
): Promise<AskemaError | undefined> {
  const refusal = refuseText(sql, access, postgresDialect);
  const suspects = await begun?.suspects();
  const setting = suspects?.functions.get('current_setting')?.find(({ schema }) => schema === 'pg_catalog');
  if (setting !== undefined && showsSecrets(sql)) throw refusal ?? notReadOnlyError(sql, setting.reason, 0);
  const found = begun && suspects && findSuspect(sql, suspects, begun.path);
  if (found !== undefined) throw refusal ?? notReadOnlyError(sql, found.suspect.reason, found.start);
  return refusal;
}

/** `SHOW ALL`, or SHOW with one of the settings themselves. */
function showsSecrets(sql: string): boolean {
  const { lexer } = postgresDialect;
  const [first, second] = significantTokens(sql, lexer);
  const name = (second && nameOfToken(second, lexer)?.toLowerCase()) ?? '';
  return isWord(first, 'SHOW') && ['all', ...SECRET_SETTINGS].includes(name);
}
