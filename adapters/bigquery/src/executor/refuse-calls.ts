import { notReadOnlyError, type UnlistedCall, unlistedCalls } from '@askema/adapter-kit';
import { AskemaError, type ViewRead } from '@askema/core';
import { bigqueryDialect } from '@askema/dialects';
import { isWord, nameOfToken, queryOfView, significantTokens, statementKind } from '@askema/sql';
import type { OpenClient } from '../client/create-client.ts';
import { failureOf } from '../errors/rest-failure.ts';
import type { RestRoutine, RestRoutineReference } from '../rest-types.ts';
import type { Statement } from './prepare-statement.ts';

/** Functions of users that call each other are followed that far. */
const MOST_ROUTINES = 50;

/**
 * Refuses a statement that calls a function which is not known to only read. Functions of BigQuery are compared with the list of the dialect.
 * Those of users are the routines that the dry run names: in SQL they are judged by what they call, in JavaScript they reach nothing outside
 * (user-defined-functions); others, and those that cannot be seen, run only if they are allowed.
 *
 * Rejects with `QUERY_NOT_READ_ONLY`, or `QUERY_REFUSED` for a function of a user.
 */
export async function refuseCalls(
  client: OpenClient,
  { sql, limits }: Statement,
  routines: readonly RestRoutineReference[],
  views: readonly ViewRead[],
): Promise<void> {
  const { allowFunctions } = client.options;
  const open = [...routines];
  for (const { nameParts, definition } of views) {
    const { database = '', schema, relation } = nameParts;
    const view = `${schema}.${relation}`;
    const name = `the view ${database}.${view}`;
    if (allowFunctions.includes(view)) continue;
    if (definition === undefined) throw refused(sql, name, 'its definition is not told to this user', view, 'reads');
    const calls = unlisted(queryOfView(definition, bigqueryDialect.lexer), allowFunctions);
    const own = calls.find(({ path }) => path.length === 0);
    if (own !== undefined)
      throw refused(sql, name, `it calls ${own.fullName}, which is not known to only read`, view, 'reads');
    for (const { fullName } of calls) open.push(referenceTo(fullName, database));
  }
  const seen = new Set<string>();
  for (let routine = open.pop(); routine !== undefined; routine = open.pop()) {
    const { projectId, datasetId, routineId } = routine;
    const name = `${projectId}.${datasetId}.${routineId}`;
    if (seen.has(name) || client.options.allowFunctions.includes(`${datasetId}.${routineId}`)) continue;
    seen.add(name);
    const read = seen.size > MOST_ROUTINES ? undefined : await readRoutine(client, routine, limits);
    const { why, calls = [] } = judge(read, client.options.allowFunctions);
    const opaque = calls.find(({ path }) => path.length === 0);
    const reason = why ?? (opaque && `the function calls ${opaque.fullName}, which is not known to only read`);
    if (reason !== undefined) throw refused(sql, name, reason, `${datasetId}.${routineId}`);
    for (const { fullName } of calls) open.push(referenceTo(fullName, projectId));
  }
  if (statementKind(sql, bigqueryDialect.lexer) !== 'read') return;
  const known = new Set([...routines.map(({ routineId }) => routineId.toUpperCase()), ...temporaryFunctions(sql)]);
  const call = unlisted(sql, client.options.allowFunctions).find(
    ({ fullName }) => !known.has(fullName.slice(fullName.lastIndexOf('.') + 1).toUpperCase()),
  );
  if (call !== undefined)
    throw notReadOnlyError(sql, `The function ${call.fullName} is not known to only read.`, call.start);
}

/** Why a function of a user is refused, or what it calls that has to be looked at. */
function judge(
  routine: RestRoutine | undefined,
  allowFunctions: readonly string[],
): { readonly why?: string; readonly calls?: readonly UnlistedCall[] } {
  if (routine === undefined) return { why: 'it cannot be seen what the function does' };
  const { language, remoteFunctionOptions, definitionBody } = routine;
  if (remoteFunctionOptions !== undefined) return { why: 'the function runs on a server outside of BigQuery' };
  if (language === 'SQL' && definitionBody !== undefined) return { calls: unlisted(definitionBody, allowFunctions) };
  if (language === 'JAVASCRIPT') return {};
  return {
    why: `it cannot be seen what the function does, because it is written in ${language ?? 'no language that is told'}`,
  };
}

function unlisted(sql: string, allowFunctions: readonly string[]): readonly UnlistedCall[] {
  return unlistedCalls(sql, { dialect: bigqueryDialect, allowFunctions, prefix: 'SAFE', hasQuotedPaths: true });
}

async function readRoutine(
  { transport }: OpenClient,
  { projectId, datasetId, routineId }: RestRoutineReference,
  limits: Statement['limits'],
): Promise<RestRoutine | undefined> {
  try {
    return await transport.request<RestRoutine>({
      method: 'GET',
      path: ['projects', projectId, 'datasets', datasetId, 'routines', routineId],
      limits,
    });
  } catch (thrown) {
    if (failureOf(thrown) === undefined) throw thrown;
    return undefined;
  }
}

/** A function that another one calls, with the project of that one where its name has none. */
function referenceTo(fullName: string, project: string): RestRoutineReference {
  const [routineId = '', datasetId = '', ...rest] = fullName.split('.').reverse();
  return { projectId: rest.length === 0 ? project : rest.reverse().join('.'), datasetId, routineId };
}

/** The functions that a text makes for itself, in upper case; what stands in them is part of the text. */
function temporaryFunctions(sql: string): readonly string[] {
  const tokens = significantTokens(sql, bigqueryDialect.lexer);
  return tokens.flatMap((token, at) => {
    if (!isWord(tokens[at - 1], 'TEMP') && !isWord(tokens[at - 1], 'TEMPORARY')) return [];
    const name = tokens[isWord(tokens[at + 1], 'IF') ? at + 4 : at + 1];
    const made = isWord(token, 'FUNCTION') && name ? nameOfToken(name, bigqueryDialect.lexer) : undefined;
    return made === undefined ? [] : [made.toUpperCase()];
  });
}

function refused(sql: string, name: string, why: string, allowed: string, does = 'calls'): AskemaError {
  return new AskemaError(
    'QUERY_REFUSED',
    `The statement ${does} ${name} and was not run: ${why}. If it only reads, allow it: \`allowFunctions: ['${allowed}']\`, or --allow-function ${allowed}.`,
    { details: { sql } },
  );
}
