import type { ExecuteOptions } from '@askema/core';
import type { StatementRequest } from '../process/requests.ts';

/** The request of a statement. Without `execute` it is one of our own that reads, and its caps are far away. */
export function statementRequest(sql: string, execute?: ExecuteOptions): StatementRequest {
  if (execute === undefined) return { type: 'query', sql, access: 'read', maxRows: 100_000, maxBytes: 2 ** 24 };
  const { access, parameters, maxRows, maxBytes } = execute;
  return { type: 'query', sql, access, parameters, maxRows, maxBytes };
}
