import type { Attribute, DataType } from '@askema/core';
import type { FilterOperator, FilterShape, OperandShape } from '@askema/sql';
import type { ResolvedBlock, ResolvedQuery } from '../../resolve/resolved-query.ts';

/** What is known of a column of the statement. */
interface ColumnFacts {
  /** As the statement writes it. */
  readonly written: string;
  readonly type: DataType;
  /** Where it is nothing but an attribute. */
  readonly attribute: Attribute | undefined;
  /** As the engine writes it; empty where it is not known, or where the column has none. */
  readonly nativeType: string;
}

/** A filter one side of which is a column whose type is known. */
export interface ColumnComparison {
  readonly block: ResolvedBlock;
  readonly filter: FilterShape;
  /** With the column on the left: `5 < a` is `a > 5`. */
  readonly operator: FilterOperator;
  readonly operand: OperandShape;
  readonly column: ColumnFacts;
  readonly others: readonly OperandShape[];
}

const FLIPPED: Readonly<Partial<Record<FilterOperator, FilterOperator>>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/** All comparisons of a column with something; of two columns, both ways. */
export function* columnComparisons(query: ResolvedQuery): Generator<ColumnComparison, void, undefined> {
  for (const block of query.blocks)
    for (const filter of block.block.filters) {
      const left = columnOf(query, block, filter.left);
      if (left !== undefined)
        yield {
          block,
          filter,
          operator: filter.operator,
          operand: filter.left,
          column: left,
          others: filter.right,
        };
      const [other] = filter.right;
      const flipped = FLIPPED[filter.operator];
      if (other === undefined || flipped === undefined) continue;
      const right = columnOf(query, block, other);
      if (right !== undefined)
        yield { block, filter, operator: flipped, operand: other, column: right, others: [filter.left] };
    }
}

/**
 * The column that an operand is, where its type is known; never one with a path behind it (fields of nested values).
 */
export function columnOf(query: ResolvedQuery, block: ResolvedBlock, operand: OperandShape): ColumnFacts | undefined {
  const [index] = operand.columns;
  return operand.kind === 'column' && index !== undefined ? columnFacts(query, block, index) : undefined;
}

/** What is known of the column of that index in the block. */
export function columnFacts(query: ResolvedQuery, block: ResolvedBlock, index: number): ColumnFacts | undefined {
  const shape = block.block.columns[index];
  const resolved = block.columns[index];
  if (shape === undefined || resolved === undefined || shape.path !== undefined) return undefined;
  const written = query.sql.slice(shape.span.start, shape.span.end);
  const id =
    resolved.kind === 'attribute'
      ? resolved.attribute
      : resolved.kind === 'output'
        ? resolved.output.attribute
        : undefined;
  const attribute = id === undefined ? undefined : query.index.attribute(id);
  if (attribute !== undefined) {
    const nativeType = query.catalog.attributes[attribute.id]?.nativeType ?? '';
    return { written, type: attribute.type, attribute, nativeType };
  }
  const type = resolved.kind === 'output' ? resolved.output.type : undefined;
  return type === undefined ? undefined : { written, type, attribute: undefined, nativeType: '' };
}

/**
 * True for columns that hold text and nothing else: TEXT is also the type of nested and of unknown values, and of
 * columns without a type.
 */
export function holdsText({ type, nativeType }: ColumnFacts): boolean {
  return type === 'TEXT' && /char|clob|text|string/i.test(nativeType) && !/int/i.test(nativeType);
}

/** True where text reads as a number, blanks around it set aside. */
export function isNumberText(text: string): boolean {
  return text.length <= 400 && /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(text);
}
