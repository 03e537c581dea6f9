import { remember, viewsThatCall } from '@askema/adapter-kit';
import type { Dialect, Row } from '@askema/core';
import { namesIn, significantTokens } from '@askema/sql';
import { unknownCall } from './unknown-call.ts';

/** What users have made that may do more than read, by names in lower case. */
export interface UserRoutines {
  readonly functions: ReadonlySet<string>;
  /** Views, with the function that each calls, itself or through other views. */
  readonly views: ReadonlyMap<string, string>;
}

/** `query` runs a statement and gives its rows. */
export type RoutineLook = (query: (sql: string) => Promise<readonly Row[]>) => Promise<UserRoutines>;

export const SYSTEM = `('mysql', 'sys', 'information_schema', 'performance_schema')`;

const FUNCTIONS = `SELECT ROUTINE_NAME FROM information_schema.ROUTINES
  WHERE ROUTINE_TYPE = 'FUNCTION' AND ROUTINE_SCHEMA NOT IN ${SYSTEM}`;
const VIEWS = `SELECT TABLE_NAME, VIEW_DEFINITION FROM information_schema.VIEWS WHERE TABLE_SCHEMA NOT IN ${SYSTEM}`;

/**
 * Looks at the functions and views of all databases that the user may see. Now and then is enough: who may ask cannot
 * make any.
 */
export function createRoutineLook(dialect: Dialect): RoutineLook {
  const lower = (name: unknown): string => String(name).toLowerCase();
  const kept = remember<UserRoutines>();
  return (query) =>
    kept(async () => {
      const functions = new Set((await query(FUNCTIONS)).map(([name]) => lower(name)));
      const views = (await query(VIEWS)).map(([name, definition]) => {
        const text = String(definition ?? '');
        const names = namesIn(significantTokens(text, dialect.lexer), dialect.lexer);
        const call = unknownCall(text, dialect, functions)?.name;
        return { name: lower(name), call, names: names.map((one) => lower(one.name)) };
      });
      return { functions, views: viewsThatCall(views) };
    });
}
