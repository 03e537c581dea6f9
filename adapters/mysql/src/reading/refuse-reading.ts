import { notReadOnlyError } from '@askema/adapter-kit';
import type { AskemaError, Dialect } from '@askema/core';
import { type CallInText, foldName, isWord, lexSql, nameOfToken, significantTokens } from '@askema/sql';
import { computedDefault, unknownCall } from './unknown-call.ts';
import type { UserRoutines } from './user-routines.ts';

/**
 * Why a statement may not run where only reading is allowed, beyond what its first words say: a function that is not
 * known to only read, a function of a user, a view that calls one, or a hint that changes settings. Undefined when
 * nothing speaks against it.
 */
export function refuseReading(sql: string, dialect: Dialect, routines: UserRoutines): AskemaError | undefined {
  const { lexer } = dialect;
  const hint = lexSql(sql, lexer).find(({ kind, text }) => kind === 'comment' && /^\/\*\+.*\bSET_VAR\b/is.test(text));
  if (hint !== undefined) return notReadOnlyError(sql, 'The hint SET_VAR changes settings.', hint.start);
  const [first, second] = significantTokens(sql, lexer);
  if (isWord(first, 'SHOW') && second !== undefined && /^(?:binlog|relaylog)$/i.test(second.text))
    return notReadOnlyError(sql, `SHOW ${second.text.toUpperCase()} reads the log files of the server.`, second.start);
  const call = unknownCall(sql, dialect, routines);
  if (call !== undefined) {
    const advice = adviceOn(call, routines);
    return notReadOnlyError(sql, `The function ${call.name} is not known to only read.${advice}`, call.start);
  }
  const computed = computedDefault(sql, dialect);
  if (computed !== undefined)
    return notReadOnlyError(
      sql,
      'DEFAULT(…) computes the default of a column, which may set variables.',
      computed.start,
    );
  for (const token of significantTokens(sql, lexer)) {
    // A name behind a dot may look like a number: `shop.1e5`.
    const name = foldName(nameOfToken(token, lexer) ?? token.text.replace(/^\./, ''));
    const called = routines.views.get(name);
    if (called !== undefined) return notReadOnlyError(sql, `The view ${name} ${called}.`, token.start);
  }
  return undefined;
}

/** What users can allow is told how: a function of the server itself is not. */
function adviceOn({ name, schema }: CallInText, { ofUsers }: UserRoutines): string {
  if (schema === undefined && !ofUsers.has(foldName(name))) return '';
  const full = schema === undefined ? `DATABASE.${name}` : name;
  return ` If it only reads, allow it: \`allowFunctions: ['${full}']\`, or --allow-function ${full}.`;
}
