import type { Dialect } from '../../adapter/dialect.ts';
import type { ColumnShape, QueryBlock } from '../../ports/query-shape.ts';
import type { ScopeRelation, Scopes } from './scope.ts';

/** Engines whose JOIN binds tighter than the comma, as the standard has it; SQLite and BigQuery go from left to right. */
const JOIN_BEFORE_COMMA: ReadonlySet<string> = new Set(['snowflake', 'postgres', 'mysql']);

/**
 * Whether a comma hides a relation from the condition of a join: in `FROM a, b JOIN c ON …` the condition sees `b` and `c` only
 * (https://www.postgresql.org/docs/current/queries-table-expressions.html#QUERIES-FROM; Snowflake says "invalid identifier").
 */
export function isBehindComma(
  { shape, sql }: Scopes,
  dialect: Dialect,
  block: QueryBlock,
  { ref }: ScopeRelation,
  column: ColumnShape,
): boolean {
  if (!JOIN_BEFORE_COMMA.has(dialect.name) || shape.blocks[ref.block] !== block) return false;
  const join = block.joins.find(({ span }) => span.start <= column.span.start && column.span.end <= span.end);
  if (join === undefined) return false;
  // Brackets around several relations change what belongs together, and a shape does not show them.
  const isBracketed = (from: number | undefined, relation: number): boolean =>
    sql.slice(from ?? 0, block.relations[relation]?.span.start ?? 0).includes('(');
  if (isBracketed(block.clauses.from?.start, 0)) return false;
  const commas = block.joins.filter(({ kind, relation }) => kind === 'comma' && relation <= join.relation);
  if (commas.some(({ span, relation }) => isBracketed(span.start, relation))) return false;
  return commas.some(({ relation }) => ref.relation < relation);
}
