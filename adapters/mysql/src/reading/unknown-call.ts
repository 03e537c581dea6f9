import type { Dialect } from '@askema/core';
import { type CallInText, callsIn } from '@askema/sql';

/**
 * The first function that a text calls and that is not known to only read, with the name to tell. With a database in
 * front it is a function of a user, whatever its name; `ofUsers`, in lower case, may have names that another version of
 * the server brings.
 */
export function unknownCall(sql: string, dialect: Dialect, ofUsers: ReadonlySet<string>): CallInText | undefined {
  const harmless = new Set(dialect.lexer.statements?.harmlessFunctions);
  const call = callsIn(sql, dialect).find(
    ({ schema, name, namesColumns }) =>
      !namesColumns && (schema !== undefined || !harmless.has(name.toUpperCase()) || ofUsers.has(name.toLowerCase())),
  );
  return call?.schema === undefined ? call : { ...call, name: `${call.schema}.${call.name}` };
}
