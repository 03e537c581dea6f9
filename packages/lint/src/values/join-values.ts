import {
  type Adapter,
  type AttributeId,
  type Fix,
  type InspectionFinding,
  qualifiedName,
  quoteIdentifier,
} from '@askema/core';
import type { FilterShape, QueryBlock } from '@askema/sql';
import { attributeName, originOf, textOf } from '../resolve/query-facts.ts';
import type { ResolvedQuery } from '../resolve/resolved-query.ts';
import { anyRow, type LookUpLimits } from './look-up-cells.ts';

/** An equality of two columns of different attributes. */
export interface JoinEquality {
  readonly block: QueryBlock;
  readonly filter: FilterShape;
  readonly left: AttributeId;
  readonly right: AttributeId;
}

/** What makes cells equal that are not: tried in this order. `cell` stands for each side. */
const FOLDINGS = [
  { name: 'blanks around them', wrap: (cell: string) => `TRIM(${cell})` },
  { name: 'case', wrap: (cell: string) => `LOWER(${cell})` },
  { name: 'blanks around them and case', wrap: (cell: string) => `LOWER(TRIM(${cell}))` },
] as const;

/** All equalities of two columns of different attributes in ON and WHERE, each pair of attributes once in a block. */
export function joinEqualities(query: ResolvedQuery): readonly JoinEquality[] {
  const found = new Map<string, JoinEquality>();
  for (const block of query.shape.blocks) {
    for (const filter of block.filters) {
      const [right, ...others] = filter.right;
      if (filter.operator !== '=' || filter.negated || others.length > 0) continue;
      if (filter.left.kind !== 'column' || right?.kind !== 'column') continue;
      const ids = [filter.left, right].map(({ columns: [column] }) => originOfColumn(query, block, column));
      const [leftId, rightId] = ids;
      if (leftId === undefined || rightId === undefined || leftId === rightId) continue;
      const key = JSON.stringify([block.id, ...[leftId, rightId].sort()]);
      if (!found.has(key)) found.set(key, { block, filter, left: leftId, right: rightId });
    }
  }
  return [...found.values()];
}

function originOfColumn(query: ResolvedQuery, block: QueryBlock, column: number | undefined): AttributeId | undefined {
  if (column === undefined || block.columns[column]?.path !== undefined) return undefined;
  return originOf(query, block.id, column);
}

/**
 * The finding `join-without-match` of an equality of columns that have no value in common, though both have cells: rows
 * never meet. With a fix where they would without regard to blanks or case. Undefined where the database did not say.
 *
 * @throws AskemaError `ABORTED`.
 */
export async function joinFinding(
  adapter: Adapter,
  query: ResolvedQuery,
  equality: JoinEquality,
  limits: LookUpLimits,
): Promise<InspectionFinding | undefined> {
  const [left, right] = [sideOf(query, equality.left), sideOf(query, equality.right)];
  if (left === undefined || right === undefined) return undefined;
  const has = (sql: string): Promise<boolean | undefined> => anyRow(adapter, sql, limits);
  const meet = (wrap: (cell: string) => string): Promise<boolean | undefined> =>
    has(
      `SELECT 1 FROM ${left.relation} AS l JOIN ${right.relation} AS r ON ${wrap(`l.${left.name}`)} = ${wrap(`r.${right.name}`)} LIMIT 1`,
    );
  if ((await meet((cell) => cell)) !== false) return undefined;
  for (const { relation, name } of [left, right])
    if ((await has(`SELECT 1 FROM ${relation} AS probed WHERE ${name} IS NOT NULL LIMIT 1`)) !== true) return undefined;
  if (left.isText && right.isText)
    for (const folding of FOLDINGS)
      if ((await meet(folding.wrap)) === true) return foldedFinding(query, equality, folding);
  const names = columnNames(query, equality);
  return {
    code: 'join-without-match',
    severity: 'warning',
    message: `${names.join(' and ')} have no value in common: no row meets ${textOf(query, equality.filter.span)}.`,
    advice: 'Join other columns, or other relations: these two do not hold the same thing.',
    span: equality.filter.span,
  };
}

function foldedFinding(
  query: ResolvedQuery,
  equality: JoinEquality,
  { name, wrap }: (typeof FOLDINGS)[number],
): InspectionFinding {
  const { filter, block } = equality;
  const kind = filter.join === undefined ? 'inner' : block.joins[filter.join]?.kind;
  const edits = [filter.left, ...filter.right].map(({ span }) => ({
    span,
    text: wrap(query.sql.slice(span.start, span.end)),
  }));
  const condition = edits.map(({ text }) => text).join(' = ');
  const fix: Fix = { description: `Join on ${condition}`, edits };
  return {
    code: 'join-without-match',
    severity: kind === 'inner' || kind === 'comma' ? 'error' : 'warning',
    message: `No row meets ${textOf(query, equality.filter.span)}: the cells of ${columnNames(query, equality).join(' and ')} differ in ${name}.`,
    advice: `Compare them without regard to ${name}: ${condition}.`,
    span: filter.span,
    fix,
  };
}

interface Side {
  readonly relation: string;
  readonly name: string;
  readonly isText: boolean;
}

function sideOf({ index, catalog, dialect }: ResolvedQuery, id: AttributeId): Side | undefined {
  const attribute = index.attribute(id);
  const info = attribute && catalog.relations[attribute.relation];
  if (attribute === undefined || info === undefined) return undefined;
  return {
    relation: qualifiedName(info.nameParts, dialect, 'always'),
    name: quoteIdentifier(attribute.name, dialect),
    isText: attribute.type === 'TEXT',
  };
}

function columnNames(query: ResolvedQuery, { left, right }: JoinEquality): readonly string[] {
  return [left, right].map((id) => attributeName(query, id, { qualified: true }));
}
