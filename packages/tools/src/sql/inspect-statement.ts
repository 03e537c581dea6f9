import { AskemaError, type CallContext, createCallContext, type InspectionFinding, type Planner } from '@askema/core';
import { applyFixes, BUILT_IN_RULES, inspectSql } from '@askema/lint';
import type { SqlParser } from '@askema/sql';
import type { ToolContext } from '../contract.ts';
import type { FoundDatabase } from '../databases/find-database.ts';

/**
 * Of a statement that a caller sends, in UTF-16 code units. People and models write some thousand; what is longer keeps
 * the thread that reads it, and all who share it, for seconds.
 */
export const MAX_STATEMENT_CHARACTERS = 50_000;

/** What is known of a statement that has not run. */
export interface InspectedStatement {
  readonly findings: readonly InspectionFinding[];
  /** The statement with all fixes made; undefined where there are none. */
  readonly fixed: string | undefined;
  readonly hasErrors: boolean;
}

/**
 * Looks at a statement and runs nothing: rules, names, and at last what the engine plans. Cells are not looked up.
 *
 * @throws AskemaError `INPUT_INVALID` for SQL that is empty or far too long, `ABORTED` by the signal.
 */
export async function inspectStatement(
  sql: string,
  { adapter, text2sql, lint }: FoundDatabase,
  tools: { readonly parser: SqlParser; readonly planner: Planner; readonly context: ToolContext },
): Promise<InspectedStatement> {
  checkStatement(sql);
  const { signal, tenant } = tools.context;
  const { findings } = await inspectSql(sql, {
    catalog: await text2sql.catalog({ signal, tenant }),
    dialect: adapter.dialect,
    parser: tools.parser,
    rules: [...BUILT_IN_RULES, ...(lint?.rules ?? [])],
    severities: lint?.severities ?? {},
    planner: tools.planner,
    signal,
    context: planContext(tools.context),
  });
  const fixed = applyFixes(sql, findings);
  return {
    findings,
    fixed: fixed.applied.length === 0 ? undefined : fixed.sql,
    hasErrors: findings.some(({ severity }) => severity === 'error'),
  };
}

/** What accompanies a call of a planner. */
export function planContext({ signal, tags, tenant }: ToolContext): CallContext {
  return createCallContext({ path: 'check', signal, tenant, ...(tags === undefined ? {} : { tags }) });
}

function checkStatement(sql: string): void {
  if (sql.trim() === '') throw new AskemaError('INPUT_INVALID', '`sql` is empty: give one statement that reads.');
  if (sql.length > MAX_STATEMENT_CHARACTERS)
    throw new AskemaError(
      'INPUT_INVALID',
      `\`sql\` has ${sql.length} characters, and ${MAX_STATEMENT_CHARACTERS} are allowed. Ask for less in one statement.`,
    );
}
