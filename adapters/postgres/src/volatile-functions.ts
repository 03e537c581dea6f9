import { notReadOnlyError } from '@askema/adapter-kit';
import type { AskemaError } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import { callsIn } from '@askema/sql';
import type { Transaction } from './connection/transaction.ts';
import type { WireRow } from './connection/wire.ts';
import { isHarmless } from './harmless-functions.ts';

/** A name in front of a bracket, as the server stores it; `schema` where one stands before it. */
interface Call {
  readonly schema: string | undefined;
  readonly name: string;
  readonly start: number;
}

/** NAMEDATALEN - 1: the server cuts longer names off. */
const MAX_BYTES = 63;

const ASCII = /^[\x20-\x7e]*$/;

/** As the server stores it: cut off. */
function storedName(name: string): string {
  return Buffer.from(name).subarray(0, MAX_BYTES).toString('latin1');
}

/** Every name that a text may call as a function. Names of tables and types with brackets are among them. */
function callsOf(sql: string): readonly Call[] {
  return callsIn(sql, postgresDialect).flatMap(({ schema, name, start }) => {
    const stored = storedName(name);
    // A server of another encoding could not read other names; no function of the engine or of contrib has one.
    return ASCII.test(stored)
      ? [{ schema: schema === undefined ? undefined : storedName(schema), name: stored, start }]
      : [];
  });
}

/** What takes an internal value is called by the server alone: no statement has such a value. */
const CALLABLE = `p.provolatile = 'v' AND NOT 'pg_catalog.internal'::pg_catalog.regtype::oid = ANY (p.proargtypes)`;

/** The volatile functions of the engine and of extensions, as `p` with `e` and `n`: follows FROM, goes on with AND. */
export const VOLATILE_FUNCTIONS = `pg_catalog.pg_proc AS p
  JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
  LEFT JOIN pg_catalog.pg_depend AS d
    ON d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = p.oid AND d.deptype = 'e'
  LEFT JOIN pg_catalog.pg_extension AS e ON e.oid = d.refobjid
  WHERE ${CALLABLE} AND (e.oid IS NOT NULL OR n.nspname = 'pg_catalog')`;

/**
 * A query for the ids of the volatile functions whose names a text calls: mostly none. It goes to the server with the
 * beginning of the transaction, so it takes no round trip of its own and is always up to date. Undefined where nothing
 * is called.
 */
export function volatileFunctionsQuery(sql: string): string | undefined {
  const names = new Set(callsOf(sql).map(({ name }) => quoted(name)));
  if (names.size === 0) return undefined;
  const among = `p.proname = ANY (ARRAY[${[...names].join(', ')}]::name[])`;
  return `SELECT p.oid FROM pg_catalog.pg_proc AS p WHERE ${among} AND ${CALLABLE}`;
}

/**
 * Of the functions that {@link volatileFunctionsQuery} found: name, schema, extension, and `t` where the name needs no
 * schema. Joins would take the server longer to plan.
 */
export async function describeVolatile({ session, begun, limits }: Transaction): Promise<readonly WireRow[]> {
  if (begun.length === 0) return [];
  const schema = '(SELECT n.nspname FROM pg_catalog.pg_namespace AS n WHERE n.oid = p.pronamespace)';
  const query = `SELECT p.proname, ${schema}, (
    SELECT e.extname FROM pg_catalog.pg_depend AS d JOIN pg_catalog.pg_extension AS e ON e.oid = d.refobjid
    WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = p.oid AND d.deptype = 'e'
  ), ${schema} = ANY (pg_catalog.current_schemas(true))
  FROM pg_catalog.pg_proc AS p WHERE p.oid IN (${begun.map(([oid]) => `${oid}`).join(', ')})`;
  return limits.race(session.simple(query));
}

/**
 * The refusal of a text that calls a volatile function which is not known to be harmless. `found` is what
 * {@link describeVolatile} gave.
 */
export function refuseVolatile(sql: string, found: readonly WireRow[]): AskemaError | undefined {
  if (found.length === 0) return undefined;
  for (const call of callsOf(sql)) {
    const refused = found.find((row) => isCalled(row, call) && isRefused(row));
    if (refused === undefined) continue;
    const extension = refused[2] ?? '';
    const origin = extension === '' ? '' : ` of the extension ${extension}`;
    const reason = `PostgreSQL calls the function ${call.name}${origin} volatile, and it is not known to only read.`;
    return notReadOnlyError(sql, reason, call.start);
  }
  return undefined;
}

function isCalled([name, schema, , isOnPath]: WireRow, call: Call): boolean {
  if (name !== call.name) return false;
  return call.schema === undefined ? isOnPath === 't' : schema === call.schema || !ASCII.test(call.schema);
}

/** Functions of users are not looked into. */
function isRefused([name, schema, extension]: WireRow): boolean {
  const isOurs = extension === null && schema !== 'pg_catalog';
  return !isOurs && !isHarmless(extension ?? '', name ?? '');
}

/** In E'', which reads backslashes in one way whatever the server's settings. */
function quoted(name: string): string {
  return `E'${name.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
