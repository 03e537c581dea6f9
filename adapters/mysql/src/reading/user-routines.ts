import type { Dialect, Row } from '@askema/core';
import { namesIn, significantTokens } from '@askema/sql';
import { callsOf } from './calls-of.ts';

/** They are looked up again after this time: who may ask cannot make any. */
const FRESH_MS = 30_000;

/** What users have made that may do more than read, by names in lower case. */
export interface UserRoutines {
  readonly functions: ReadonlySet<string>;
  /** Views, with the function that each calls, itself or through other views. */
  readonly views: ReadonlyMap<string, string>;
}

/** `query` runs a statement and gives its rows. */
export type RoutineLook = (query: (sql: string) => Promise<readonly Row[]>) => Promise<UserRoutines>;

export const SYSTEM = `('mysql', 'sys', 'information_schema', 'performance_schema')`;

/** Looks at the functions and views of all databases that the user may see, at most once in half a minute. */
export function createRoutineLook(dialect: Dialect): RoutineLook {
  let known: { readonly routines: UserRoutines; readonly at: number } | undefined;
  return async (query) => {
    if (known !== undefined && performance.now() - known.at < FRESH_MS) return known.routines;
    const functions = await query(
      `SELECT ROUTINE_NAME FROM information_schema.ROUTINES WHERE ROUTINE_TYPE = 'FUNCTION' AND ROUTINE_SCHEMA NOT IN ${SYSTEM}`,
    );
    const views = await query(
      `SELECT TABLE_NAME, VIEW_DEFINITION FROM information_schema.VIEWS WHERE TABLE_SCHEMA NOT IN ${SYSTEM}`,
    );
    const ofUsers = new Set(functions.map(([name]) => String(name).toLowerCase()));
    const defined = views.map(([name, definition]) => [String(name).toLowerCase(), String(definition ?? '')] as const);
    const routines = { functions: ofUsers, views: actingViews(defined, dialect, ofUsers) };
    known = { routines, at: performance.now() };
    return routines;
  };
}

function actingViews(
  views: readonly (readonly [name: string, definition: string])[],
  dialect: Dialect,
  ofUsers: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const acting = new Map<string, string>();
  for (const [name, definition] of views) {
    const [call] = callsOf(definition, dialect, ofUsers);
    if (call !== undefined) acting.set(name, call.name);
  }
  // A view on one of them calls the same; a round for each level.
  const rest =
    acting.size === 0 ? [] : views.map(([name, definition]) => ({ name, used: namesOf(definition, dialect) }));
  for (let before = 0; before < acting.size; ) {
    before = acting.size;
    for (const { name, used } of rest) {
      const through = used.find((one) => acting.has(one));
      if (through !== undefined && !acting.has(name)) acting.set(name, acting.get(through) ?? '');
    }
  }
  return acting;
}

/** All names of a text, keywords included, in lower case. */
function namesOf(sql: string, { lexer }: Dialect): readonly string[] {
  return namesIn(significantTokens(sql, lexer), lexer).map(({ name }) => name.toLowerCase());
}
