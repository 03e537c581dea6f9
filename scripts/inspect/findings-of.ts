import {
  type Adapter,
  type Catalog,
  createCallContext,
  type Dialect,
  type InspectionFinding,
  type ValueIndex,
} from '@askema/core';
import { inspectSql, inspectValues } from '@askema/lint';
import type { SqlParser } from '@askema/sql';

/** What a statement is looked at with. */
export interface Looking {
  readonly catalog: Catalog;
  readonly dialect: Dialect;
  readonly parser: SqlParser;
  /** For the retriever; undefined: the detector alone. */
  readonly database?: { readonly adapter: Adapter; readonly values: ValueIndex } | undefined;
  readonly question?: string | undefined;
  readonly evidence?: string | undefined;
}

/**
 * What detector and retriever say of a statement. The planner is not asked: it would find what fails, and nothing runs
 * here.
 */
export async function findingsOf(sql: string, looking: Looking): Promise<readonly InspectionFinding[]> {
  const { catalog, dialect, parser, database, question, evidence } = looking;
  const context = createCallContext();
  const { findings, query } = await inspectSql(sql, { catalog, dialect, parser, question, evidence, context });
  if (database === undefined || query === undefined) return findings;
  const { adapter, values } = database;
  return [...findings, ...(await inspectValues(query, { adapter, valueIndex: values, context }))];
}
