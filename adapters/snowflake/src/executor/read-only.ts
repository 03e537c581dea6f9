import { notReadOnlyError, type UnlistedCall, unlistedCalls } from '@askema/adapter-kit';
import { AskemaError, type ViewRead } from '@askema/core';
import { snowflakeDialect } from '@askema/dialects';
import { isSelectOnly, isSymbol, isWord, lexSql, queryOfView, readOnlyText, significantTokens } from '@askema/sql';
import type { SessionQuery, SnowflakeSession } from '../connection/session.ts';
import { isReading } from '../connection/statement-type.ts';
import { namesByValue, type ReadViews } from './read-views.ts';

/**
 * Lets a statement pass that only reads: first by its text and the functions that it calls, then by the kind that the server gives it when it compiles the statement without
 * running it. Where a server gives no kind (stand-ins do), the text decides. SHOW, DESCRIBE and EXPLAIN run nothing and pass by their text.
 *
 * Rejects with `QUERY_NOT_READ_ONLY`, or with what the server says of the statement.
 */
export async function refuseChange(
  session: SnowflakeSession,
  sql: string,
  query: SessionQuery,
  allowFunctions: readonly string[],
  readViews: ReadViews,
): Promise<void> {
  if (lexSql(sql, snowflakeDialect.lexer).every(({ kind }) => kind === 'comment' || kind === 'blank'))
    throw new AskemaError('QUERY_FAILED', 'The statement is empty.', { details: { sql, errorClass: 'syntax' } });
  const verdict = readOnlyText(sql, snowflakeDialect.lexer);
  if (!verdict.ok) throw notReadOnlyError(sql, verdict.reason, verdict.position);
  if (callsByText(sql))
    throw notReadOnlyError(sql, 'IDENTIFIER(…)(…) calls a function whose name is a text or a value.', 0);
  if (/^(show|desc|describe)$/i.test(firstWord(sql))) return;
  const [call] = unlistedCalls(sql, { dialect: snowflakeDialect, allowFunctions });
  const refusal = call && notReadOnlyError(sql, reasonOf(call), call.start);
  if (!isSelectOnly(sql, snowflakeDialect.lexer)) {
    if (refusal !== undefined) throw refusal;
    return;
  }
  // Compiled, not run: of a function that is not there the server says best what is wrong.
  const { statementTypeId } = await session.describe(sql, query);
  if (refusal !== undefined) throw refusal;
  if (statementTypeId !== undefined && !isReading(statementTypeId))
    throw notReadOnlyError(
      sql,
      `Snowflake takes it for a statement of another kind (0x${statementTypeId.toString(16)}).`,
      0,
    );
  if (namesByValue(sql)) throw notReadOnlyError(sql, 'IDENTIFIER(…) and TABLE(…) take a text here, and no value.', 0);
  const ofView = refusalOfViews(await readViews(sql, query), allowFunctions);
  if (ofView !== undefined) throw notReadOnlyError(sql, ofView, 0);
}

/** Why a view may not be read: for what it calls itself. */
function refusalOfViews(views: readonly ViewRead[], allowFunctions: readonly string[]): string | undefined {
  for (const { nameParts, definition } of views) {
    const view = `${nameParts.schema}.${nameParts.relation}`;
    if (allowFunctions.some((name) => name.toUpperCase() === view.toUpperCase())) continue;
    const allow = `allow the view if it only reads: \`allowFunctions: ['${view}']\`, or --allow-function ${view}.`;
    if (definition === undefined)
      return `Snowflake does not tell the definition of the view ${view} to this role, so that what it calls is not known; ${allow}`;
    const body = queryOfView(definition, snowflakeDialect.lexer);
    const [call] = unlistedCalls(body, { dialect: snowflakeDialect, allowFunctions });
    if (call !== undefined)
      return `The view ${view} calls ${call.fullName}, which is not known to only read; allow the function, or ${allow}`;
    if (callsByText(body) || namesByValue(body)) return `The view ${view} names something by a value; ${allow}`;
  }
  return undefined;
}

function reasonOf({ fullName }: UnlistedCall): string {
  const name = fullName.split('.').slice(-2).join('.');
  const full = name.includes('.') ? name : `SCHEMA.${name}`;
  return `The function ${fullName} is not known to only read. If it is one of your own that does, allow it: \`allowFunctions: ['${full}']\`, or --allow-function ${full}.`;
}

/** Whether a function is called by `IDENTIFIER('NAME')(1)`: no list can tell what that does. */
function callsByText(sql: string): boolean {
  const tokens = significantTokens(sql, snowflakeDialect.lexer);
  return tokens.some((token, at) => {
    if (!isWord(token, 'IDENTIFIER') || !isSymbol(tokens[at + 1], '(')) return false;
    let depth = 0;
    let end = at + 1;
    do {
      if (isSymbol(tokens[end], '(')) depth += 1;
      if (isSymbol(tokens[end], ')')) depth -= 1;
      end += 1;
    } while (depth > 0 && end < tokens.length);
    return isSymbol(tokens[end], '(');
  });
}

/** The driver itself would read and write files of this machine for PUT and GET, also where writing to the database is allowed. */
export function refuseFileTransfer(sql: string): void {
  // The driver looks at three letters, behind blanks only.
  if (!/^(put|get)/i.test(sql.trim()) && !/^(put|get)$/i.test(firstWord(sql))) return;
  throw new AskemaError(
    'QUERY_REFUSED',
    'PUT and GET move files between a stage and this machine; this adapter never runs them. Use the Snowflake CLI.',
    { details: { sql } },
  );
}

function firstWord(sql: string): string {
  return significantTokens(sql, snowflakeDialect.lexer)[0]?.text ?? '';
}
