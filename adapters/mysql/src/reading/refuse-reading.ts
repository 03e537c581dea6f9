import { findCallingView, notReadOnlyError } from '@askema/adapter-kit';
import { type AskemaError, type Dialect, quoteIdentifier } from '@askema/core';
import { type CallInText, foldName, isWord, lexSql, nameOfToken, significantTokens } from '@askema/sql';
import { computedDefault, mayBeMissing, unknownCall } from './unknown-call.ts';
import { opensViews, type UserRoutines } from './user-routines.ts';

/** Why a statement may not run where only reading is allowed. */
export interface ReadingRefusal {
  readonly error: AskemaError;
  /** To be prepared alone: by its complaint it tells whether the server has the function at all. */
  readonly probe?: string;
}

/**
 * Why a statement may not run where only reading is allowed, beyond what its first words say: a function that is not
 * known to only read, a function of a user, a view that calls one, what opens such a view, or a hint that changes
 * settings. Undefined when nothing speaks against it. `within`: the database in which names without one are looked for.
 */
export function refuseReading(
  sql: string,
  dialect: Dialect,
  routines: UserRoutines,
  within: string,
): ReadingRefusal | undefined {
  const { lexer } = dialect;
  const refuse = (reason: string, offset: number) => ({ error: notReadOnlyError(sql, reason, offset) });
  const hint = lexSql(sql, lexer).find(({ kind, text }) => kind === 'comment' && /^\/\*\+.*\bSET_VAR\b/is.test(text));
  if (hint !== undefined) return refuse('The hint SET_VAR changes settings.', hint.start);
  const tokens = significantTokens(sql, lexer);
  const [first, second] = tokens;
  if (isWord(first, 'SHOW') && second !== undefined && /^(?:binlog|relaylog)$/i.test(second.text))
    return refuse(`SHOW ${second.text.toUpperCase()} reads the log files of the server.`, second.start);
  const call = unknownCall(sql, dialect, routines);
  if (call !== undefined) {
    const refused = refuse(
      `The function ${call.name} is not known to only read.${adviceOn(call, routines)}`,
      call.start,
    );
    const path = call.name.split('.').map((part) => quoteIdentifier(part, dialect));
    return mayBeMissing(call, routines) ? { ...refused, probe: `SELECT ${path.join('.')}()` } : refused;
  }
  const computed = computedDefault(sql, dialect);
  if (computed !== undefined)
    return refuse('DEFAULT(…) computes the default of a column, which may set variables.', computed.start);
  // A name behind a dot may look like a number: `shop.1e5`.
  const names = tokens.map((token) => foldName(nameOfToken(token, lexer) ?? token.text.replace(/^\./, '')));
  const view = findCallingView(names, foldName(within), routines.views);
  if (view !== undefined) return refuse(`The view ${names[view.at]} ${view.call}.`, tokens[view.at]?.start ?? 0);
  const opens = opensViews(names, within, routines);
  return opens === undefined ? undefined : refuse(`The server ${opens}.`, first?.start ?? 0);
}

/** What users can allow is told how: a function of the server itself is not. */
function adviceOn({ name, schema }: CallInText, { ofUsers }: UserRoutines): string {
  if (schema === undefined && !ofUsers.has(foldName(name))) return '';
  const full = schema === undefined ? `DATABASE.${name}` : name;
  return ` If it only reads, allow it: \`allowFunctions: ['${full}']\`, or --allow-function ${full}.`;
}
