import type { InspectionFinding } from '@askema/core';
import { resolveQuery } from '@askema/lint';
import { sqlparserTs } from '@askema/sql-parser';
import type { BoundKnowledge } from '../../bind/bound-knowledge.ts';
import { checkStatement } from '../check-statement.ts';
import { withDeclaredKeys } from '../with-declared-keys.ts';

/** For tests: one parser for all of a file. It keeps no process alive, so nobody closes it. */
const parser = sqlparserTs({ timeoutMs: 30_000 });

/** What knowledge says of a statement that was parsed before. */
export async function checkParsed(
  sql: string,
  bound: BoundKnowledge,
  question = 'Tell me.',
): Promise<readonly InspectionFinding[]> {
  const { dialect } = bound;
  const catalog = withDeclaredKeys(bound);
  const parsed = await parser.parse(sql, dialect);
  if (!parsed.ok) throw new Error(`${parsed.reason}: ${sql}`);
  return checkStatement({ sql, question, query: resolveQuery({ sql, shape: parsed.shape, catalog, dialect }) }, bound);
}
