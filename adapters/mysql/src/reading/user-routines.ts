import { remember, viewsThatCall } from '@askema/adapter-kit';
import type { Dialect, Row } from '@askema/core';
import { namesIn, significantTokens } from '@askema/sql';
import { type KnownFunctions, unknownCall } from './unknown-call.ts';

/** What users have made that may do more than read. */
export interface UserRoutines extends KnownFunctions {
  /** Views by their names in lower case, with why each is refused: by itself or by the views that it reads. */
  readonly views: ReadonlyMap<string, string>;
}

/** `query` runs a statement and gives its rows. */
export type RoutineLook = (query: (sql: string) => Promise<readonly Row[]>) => Promise<UserRoutines>;

export const SYSTEM = `('mysql', 'sys', 'information_schema', 'performance_schema')`;

const FUNCTIONS = `SELECT ROUTINE_SCHEMA, ROUTINE_NAME FROM information_schema.ROUTINES
  WHERE ROUTINE_TYPE = 'FUNCTION' AND ROUTINE_SCHEMA NOT IN ${SYSTEM}`;
const VIEWS = `SELECT TABLE_SCHEMA, TABLE_NAME, VIEW_DEFINITION FROM information_schema.VIEWS
  WHERE TABLE_SCHEMA NOT IN ${SYSTEM}`;

/** Which lists of names the server has: MariaDB tells its functions from 10.6 on, and some of them as keywords. */
const LISTS = `SELECT TABLE_NAME FROM information_schema.TABLES
  WHERE TABLE_SCHEMA = 'information_schema' AND TABLE_NAME IN ('SQL_FUNCTIONS', 'KEYWORDS')`;
const NATIVE = `SELECT FUNCTION FROM information_schema.SQL_FUNCTIONS UNION SELECT WORD FROM information_schema.KEYWORDS`;

/**
 * Looks at the functions and views of all databases that the user may see. Now and then is enough: who may ask cannot
 * make any.
 *
 * @param allowFunctions as `schema.name`; a view whose definition cannot be seen is allowed in the same way.
 */
export function createRoutineLook(dialect: Dialect, allowFunctions: readonly string[]): RoutineLook {
  const lower = (name: unknown): string => String(name).toLowerCase();
  const kept = remember<UserRoutines>();
  const parts = allowFunctions.map((name) => name.split('.'));
  const qualified = new Set(parts.map(([schema, name]) => `${schema}.${lower(name)}`));
  const isAllowed = (schema: unknown, name: unknown): boolean => qualified.has(`${schema}.${lower(name)}`);
  return (query) =>
    kept(async () => {
      const functions = await query(FUNCTIONS);
      const refused = functions.filter(([schema, name]) => !isAllowed(schema, name));
      const ofUsers = new Set(refused.map(([, name]) => lower(name)));
      const allowed = new Set([...qualified, ...parts.map(([, name]) => lower(name))]);
      const tellsNames = (await query(LISTS)).length === 2;
      const told = tellsNames ? await query(NATIVE) : [];
      const native = tellsNames ? new Set(told.map(([name]) => String(name).toUpperCase())) : undefined;
      const known = { ofUsers, allowed, native };
      const views = (await query(VIEWS)).map(([schema, view, definition]) => {
        const text = String(definition ?? '');
        const called = unknownCall(text, dialect, known)?.name;
        const call = called && `calls ${called}, which is not known to only read`;
        const isOpaque = text === '' && !isAllowed(schema, view);
        const names = namesIn(significantTokens(text, dialect.lexer), dialect.lexer).map((one) => lower(one.name));
        return { name: lower(view), call: isOpaque ? opaque(view, schema) : call, names };
      });
      return { ...known, views: viewsThatCall(views) };
    });
}

function opaque(view: unknown, schema: unknown): string {
  return `cannot be looked into, because this user may not see the definition of ${schema}.${view}: GRANT SHOW VIEW, or allow it as \`allowFunctions: ['${schema}.${view}']\``;
}
