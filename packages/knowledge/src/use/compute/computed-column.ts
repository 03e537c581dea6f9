import type { AttributeId } from '@askema/core';
import type { ColumnName, Expression } from '../../expression/expression.ts';

/** What is computed here cannot be told. */
export class Unclear extends Error {}

const ATTRIBUTE = 'attribute';

/** A column of a relation of the catalog. */
export function attributeColumn(id: AttributeId): ColumnName {
  return { kind: 'column', qualifier: [ATTRIBUTE], name: id, isQuoted: true, span: { start: 0, end: 0 } };
}

/** The attribute that an expression is, and nothing but that. */
export function attributeOf(expression: Expression): AttributeId | undefined {
  const isOne = expression.kind === 'column' && expression.qualifier[0] === ATTRIBUTE;
  return isOne ? (expression.name as AttributeId) : undefined;
}

const AGGREGATE = 'aggregate';

/** An aggregate of a statement, by its index. */
export function aggregateColumn(index: number): ColumnName {
  return { ...attributeColumn('' as AttributeId), qualifier: [AGGREGATE], name: String(index) };
}

export function aggregateOf(expression: Expression): number | undefined {
  const isOne = expression.kind === 'column' && expression.qualifier[0] === AGGREGATE;
  return isOne ? Number(expression.name) : undefined;
}
