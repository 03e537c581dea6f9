import type { Dialect } from '@askema/core';
import { mysqlServer } from '@askema/dialects';
import { type CallInText, callsIn, foldName, isSymbol, isWord, type SqlToken, significantTokens } from '@askema/sql';

/** What is known of the functions that a text may call. */
export interface KnownFunctions {
  /** Functions of users that are not allowed, by `foldName`: their names may be on the list for another server. */
  readonly ofUsers: ReadonlySet<string>;
  /** Functions of users that may be called, as `schema.name`; the name in lower case, also without its schema. */
  readonly allowed: ReadonlySet<string>;
  /** Names that the server has of itself, in upper case; undefined where it does not tell. */
  readonly native: ReadonlySet<string> | undefined;
}

/** What MariaDB has and does not tell among its own names. */
const UNTOLD = new RegExp(`^(${mysqlServer.untoldFunctions})$`);

/** Whether the server may not have this function at all; the names of a table and its columns look like a call, too. */
export const mayBeMissing = ({ name }: CallInText, { ofUsers, native }: KnownFunctions): boolean =>
  !ofUsers.has(foldName(name.slice(name.lastIndexOf('.') + 1))) && native?.has(name.toUpperCase()) !== true;

/**
 * A function that a text calls and that is not known to only read, with the name to tell: the first of those that are
 * there, or of all. With a database in front it is a function of a user, whatever its name.
 */
export function unknownCall(sql: string, dialect: Dialect, known: KnownFunctions): CallInText | undefined {
  const { ofUsers, allowed, native } = known;
  const harmless = new Set(dialect.lexer.statements?.harmlessFunctions);
  const isNative = (name: string): boolean => native === undefined || native.has(name) || UNTOLD.test(name);
  const isKnown = (name: string): boolean =>
    !ofUsers.has(foldName(name)) &&
    (allowed.has(name.toLowerCase()) || (harmless.has(name.toUpperCase()) && isNative(name.toUpperCase())));
  const calls = callsIn(sql, dialect, (name) => ofUsers.has(foldName(name))).filter(
    ({ schema, name, namesColumns }) =>
      !namesColumns && !(schema === undefined ? isKnown(name) : allowed.has(`${schema}.${name.toLowerCase()}`)),
  );
  const call = calls.find((one) => !mayBeMissing(one, known)) ?? calls[0];
  return call?.schema === undefined ? call : { ...call, name: `${call.schema}.${call.name}` };
}

/** Functions of users that a text calls and that are allowed: what they read is not known. */
export function allowedCalls(sql: string, dialect: Dialect, { allowed }: KnownFunctions): readonly string[] {
  if (allowed.size === 0) return [];
  const names = callsIn(sql, dialect, (name) => allowed.has(name.toLowerCase())).map(({ name }) => name.toLowerCase());
  return names.filter((name) => allowed.has(name));
}

/**
 * DEFAULT(column) computes the default of a column, which may set a variable. It stays for the next statement, and
 * MariaDB 10.11 ends by a signal when the connection that has set it is gone.
 */
export function computedDefault(sql: string, { lexer }: Dialect): SqlToken | undefined {
  return significantTokens(sql, lexer).find(
    (token, at, tokens) => isWord(token, 'DEFAULT') && isSymbol(tokens[at + 1], '('),
  );
}
