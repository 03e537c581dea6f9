import type { ConditionShape, QueryBlock, QueryShape } from '@askema/sql';
import { slice } from './slice.ts';

/** A block as readable lines, everything in them cut out of the source. */
export interface Summary {
  readonly place: string;
  readonly relations: readonly string[];
  readonly columns: readonly string[];
  readonly items: readonly string[];
  readonly joins: readonly string[];
  readonly filters: readonly string[];
  readonly where: string;
  readonly groupings: readonly string[];
  readonly calls: readonly string[];
  readonly order: readonly string[];
  readonly limit: string;
  readonly set: readonly string[];
  readonly subqueries: readonly string[];
  readonly ctes: readonly string[];
  readonly distinct: boolean;
}

export function summarise(sql: string, shape: QueryShape): readonly Summary[] {
  return shape.blocks.map((block) => summariseBlock(sql, block));
}

function summariseBlock(sql: string, block: QueryBlock): Summary {
  const text = (span: Parameters<typeof slice>[1]): string => slice(sql, span);
  const column = (index: number): string => text(block.columns[index]?.span);
  return {
    place: `${block.place} ${block.role}`,
    relations: block.relations.map(
      ({ kind, span, alias }) => `${kind} ${text(span)}${alias ? ` as ${alias.text}` : ''}`,
    ),
    columns: block.columns.map(({ clause, span }) => `${clause}: ${text(span)}`),
    items: block.items.map(
      ({ kind, expression, alias }) => `${kind} ${text(expression)}${alias ? ` as ${alias.text}` : ''}`,
    ),
    joins: block.joins.map(({ kind, natural, relation, pairs, using }) => {
      const keys = pairs.map(({ left, right }) => `${column(left)} = ${column(right)}`);
      return [kind, natural ? 'natural' : '', `#${relation}`, ...keys, ...using.map((name) => `using ${name.text}`)]
        .filter((word) => word !== '')
        .join(' ');
    }),
    filters: block.filters.map(({ clause, left, negated, operator, right }) =>
      [`${clause}:`, text(left.span), negated ? 'not' : '', operator, right.map(({ span }) => text(span)).join(' | ')]
        .filter((word) => word !== '')
        .join(' '),
    ),
    where: block.conditions.where === undefined ? '' : tree(block.conditions.where),
    groupings: block.groupings.map(({ kind, span }) => `${kind} ${text(span)}`),
    calls: block.calls.map(({ kind, span, distinct }) => `${kind}${distinct ? ' distinct' : ''} ${text(span)}`),
    order: block.orderBy.map(({ kind, direction, span }) => `${kind} ${direction} ${text(span)}`),
    limit: text(block.limit?.span),
    set: block.setOperation?.operators.map(({ operator, all }) => `${operator}${all ? ' all' : ''}`) ?? [],
    subqueries: block.subqueries.map(({ clause, role, block: id }) => `${clause} ${role} -> ${id}`),
    ctes: block.ctes.map(({ name, block: id }) => `${name.text} -> ${id}`),
    distinct: block.distinct,
  };
}

/** `and(0,or(1,2))` over indexes of filters. */
function tree(condition: ConditionShape): string {
  if (condition.kind === 'filter') return String(condition.filter);
  if (condition.kind === 'not') return `not(${tree(condition.operand)})`;
  return `${condition.kind}(${condition.operands.map(tree).join(',')})`;
}
