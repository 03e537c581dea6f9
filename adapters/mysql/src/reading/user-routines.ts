import { type CallingView, nestedTooDeep, remember, viewsThatCall } from '@askema/adapter-kit';
import { type Dialect, quoteString, type Row } from '@askema/core';
import { mysqlServer } from '@askema/dialects';
import { foldName, namesIn, relationsIn, significantTokens } from '@askema/sql';
import { computedDefault, type KnownFunctions, unknownCall } from './unknown-call.ts';

/** What users have made that may do more than read. */
export interface UserRoutines extends KnownFunctions {
  /** Views by their names, folded, with why each is refused: by itself or by the views that it reads. */
  readonly views: ReadonlyMap<string, CallingView>;
  /** Those views with their databases: a server that opens one computes its constant calls. */
  readonly refusedViews: readonly { readonly schema: string; readonly view: string; readonly reason: string }[];
}

/** Looks over a session, whose `query` runs a statement and gives its rows. */
export type RoutineLook = (session: { query(sql: string): Promise<readonly Row[]> }) => Promise<UserRoutines>;

const { actingRelations, openingRelations, openingViewOfSys, systemSchemas } = mysqlServer;

/** The databases of the server, as a list of SQL. */
export const SYSTEM = `(${systemSchemas.map((name) => `'${name}'`).join(', ')})`;

/** In databases of the server users may have put something beside what it brings. In others all is theirs, whoever is its definer. */
const notOfServer = (schema: string): string =>
  `NOT (${schema} IN ('sys', 'mysql') AND DEFINER IN ('mariadb.sys@localhost', 'mysql.sys@localhost'))`;
const FUNCTIONS = `SELECT ROUTINE_SCHEMA, ROUTINE_NAME FROM information_schema.ROUTINES
  WHERE ROUTINE_TYPE = 'FUNCTION' AND ${notOfServer('ROUTINE_SCHEMA')}`;
/** A function in `sys` that a user has put in the place of the server's is called by the server's own views. */
const viewsQuery = (isSysChanged: boolean): string => `SELECT TABLE_SCHEMA, TABLE_NAME, VIEW_DEFINITION
  FROM information_schema.VIEWS WHERE ${notOfServer('TABLE_SCHEMA')}${isSysChanged ? " OR TABLE_SCHEMA = 'sys'" : ''}`;

/** All that the user sees, also which lists of names the server has: MariaDB from 10.6 on both of them. */
const RELATIONS = 'SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES';
const NATIVE = `SELECT FUNCTION FROM information_schema.SQL_FUNCTIONS UNION SELECT WORD FROM information_schema.KEYWORDS`;

/** A statement has brackets around it as well. */
const MAX_NESTED_IN_VIEW = 40;

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
  return (session) =>
    kept(async () => {
      // A LIMIT goes before `sql_select_limit`, by which the rows of a call are capped.
      const query = (sql: string) => session.query(`${sql} LIMIT 18446744073709551615`);
      const refused = (await query(FUNCTIONS)).filter(([schema, name]) => !isAllowed(schema, name));
      const ofUsers = new Set(refused.map(([, name]) => foldName(String(name))));
      const allowed = new Set([...qualified, ...parts.map(([, name]) => lower(name))]);
      const seen = new Set((await query(RELATIONS)).map((path) => path.join('.')));
      const tellsNames = ['SQL_FUNCTIONS', 'KEYWORDS'].every((list) => seen.has(`information_schema.${list}`));
      const told = tellsNames ? await query(NATIVE) : [];
      const native = tellsNames ? new Set(told.map(([name]) => String(name).toUpperCase())) : undefined;
      const known = { ofUsers, allowed, native };
      const views = (await query(viewsQuery(refused.some(([schema]) => schema === 'sys')))).map(
        ([schema, view, definition]) => {
          const text = String(definition ?? '');
          const called = unknownCall(text, dialect, known)?.name ?? computedDefault(text, dialect)?.text;
          const unseen = relationsIn(text, dialect.lexer).find((path) => path.length > 1 && !seen.has(path.join('.')));
          const hidden = text === '' ? `the definition of ${schema}.${view}` : unseen?.join('.');
          const opaque = `cannot be looked into, because this user does not see ${hidden}: GRANT SHOW VIEW and SELECT there, or allow it as \`allowFunctions: ['${schema}.${view}']\``;
          const reason = hidden === undefined || isAllowed(schema, view) ? undefined : opaque;
          const deep = nestedTooDeep(text, dialect.lexer, MAX_NESTED_IN_VIEW);
          const nests = deep && `nests ${deep} more than ${MAX_NESTED_IN_VIEW} deep, which may end the server`;
          const call = called === undefined ? (nests ?? reason) : `calls ${called}, which is not known to only read`;
          const names = namesIn(significantTokens(text, dialect.lexer), dialect.lexer).map((one) => foldName(one.name));
          const path = { schema: String(schema), view: String(view) };
          return { path, schema: foldName(path.schema), name: foldName(path.view), call, names };
        },
      );
      const calling = viewsThatCall([...actingRelations, ...views]);
      const refusedViews = views.flatMap(({ path, name }) => {
        const reason = calling.get(name)?.call;
        return reason === undefined ? [] : [{ ...path, reason }];
      });
      const opening = openingReason(refusedViews);
      const openers = views.flatMap((one) => (opening && namesOpening(one.names) ? [{ ...one, call: opening }] : []));
      return { ...known, refusedViews, views: viewsThatCall([...actingRelations, ...views, ...openers]) };
    });
}

function openingReason([first]: UserRoutines['refusedViews']): string | undefined {
  return first && `opens all views, and ${first.schema}.${first.view} ${first.reason}`;
}

const namesOpening = (names: readonly string[]): boolean =>
  names.includes(openingViewOfSys) ||
  (names.includes('information_schema') && openingRelations.some((name) => names.includes(name)));

/**
 * Why a text with these words would open views that are refused; undefined where it opens none of them, or none is
 * refused. `within`: the database in which names without one are looked for.
 */
export function opensViews(words: readonly string[], within: string, routines: UserRoutines): string | undefined {
  const opens = namesOpening([...words, foldName(within)]) || /^show table status\b/.test(words.join(' '));
  return opens ? openingReason(routines.refusedViews) : undefined;
}

/** A condition on tables of information_schema, by which the server opens no view that is refused. */
export function unopened(routines: UserRoutines, dialect: Dialect): string {
  const paths = routines.refusedViews.map(
    (one) => `(${quoteString(one.schema, dialect)}, ${quoteString(one.view, dialect)})`,
  );
  return paths.length === 0 ? 'TRUE' : `(TABLE_SCHEMA, TABLE_NAME) NOT IN (${paths.join(', ')})`;
}
