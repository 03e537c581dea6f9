import type { Span } from '@askema/core';
import type { ConditionShape, FilterShape, OperandShape, QueryBlock } from '@askema/sql';
import type { AddWhere, ConditionOperand, ConditionOperator } from './clause-action.ts';
import { isNumberLiteral } from './parse-condition.ts';
import type { QueryReader } from './query-reader.ts';

type Condition = Omit<AddWhere, 'action'>;
interface Placed {
  readonly node: ConditionShape;
  readonly link: 'and' | 'or' | undefined;
  readonly group: number | undefined;
}

/** Adds the conditions of WHERE or HAVING. What is nested deeper than groups stands as one condition that `holds`. */
export function addConditions(reader: QueryReader, block: QueryBlock, clause: 'where' | 'having'): void {
  const tree = block.conditions[clause];
  if (tree === undefined) return;
  const placed = placesOf(tree);
  for (const { node, link, group } of placed) {
    const condition: Condition = {
      ...conditionOf(reader, block, node),
      ...(link === undefined ? {} : { link }),
      ...(group === undefined ? {} : { group }),
    };
    const span = placed.length === 1 ? block.clauses[clause] : node.span;
    reader.add(
      clause === 'where' ? { action: 'add_where', ...condition } : { action: 'add_having', ...condition },
      span,
    );
  }
}

function placesOf(tree: ConditionShape): readonly Placed[] {
  if (tree.kind !== 'and' && tree.kind !== 'or') return [{ node: tree, link: undefined, group: undefined }];
  const placed: Placed[] = [];
  let groups = 0;
  for (const operand of flattened(tree.operands, tree.kind)) {
    const link = placed.length === 0 ? undefined : tree.kind;
    const isChain = operand.kind === 'and' || operand.kind === 'or';
    const inner = isChain ? flattened(operand.operands, operand.kind) : [];
    if (!isChain || inner.some(({ kind }) => kind === 'and' || kind === 'or')) {
      placed.push({ node: operand, link, group: undefined });
      continue;
    }
    groups += 1;
    for (const [index, node] of inner.entries())
      placed.push({ node, link: index === 0 ? link : operand.kind, group: groups });
  }
  return placed;
}

/** Chains of one kind inside of each other are one chain. */
export function flattened(operands: readonly ConditionShape[], kind: 'and' | 'or'): readonly ConditionShape[] {
  const found: ConditionShape[] = [];
  const open = [...operands].reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === kind) open.push(...[...node.operands].reverse());
    else found.push(node);
  }
  return found;
}

function conditionOf(reader: QueryReader, block: QueryBlock, node: ConditionShape): Condition {
  const filter = node.kind === 'filter' ? block.filters[node.filter] : undefined;
  const operator = filter === undefined ? undefined : operatorOf(reader, filter);
  if (filter === undefined || operator === undefined)
    return { left: reader.expression(node.span, block), operator: 'holds', right: [] };
  reader.take(filter.span);
  return {
    left: operandText(reader, block, filter.left),
    operator,
    right: filter.right.map((operand) => operandOf(reader, block, operand)),
  };
}

const COMPARISONS = new Set(['=', '<>', '<', '<=', '>', '>=']);
/** What stands in a filter beside its operands; anything else (ESCAPE, COLLATE, brackets) has no argument. */
const FORMS: readonly (readonly [ConditionOperator, RegExp])[] = [
  ['like', /^LIKE$/],
  ['not like', /^NOT LIKE$/],
  ['in', /^IN(?: \((?: ,)* \))?$/],
  ['not in', /^NOT IN(?: \((?: ,)* \))?$/],
  ['between', /^BETWEEN AND$/],
  ['is null', /^(?:IS NULL|ISNULL)$/],
  ['is not null', /^(?:IS NOT NULL|NOTNULL|NOT NULL)$/],
  ['exists', /^EXISTS(?: \( \))?$/],
  ['not exists', /^NOT EXISTS(?: \( \))?$/],
];

/** The operator of an action that says this filter as it is written; undefined where there is none. */
function operatorOf(reader: QueryReader, filter: FilterShape): ConditionOperator | undefined {
  const operands = [filter.left, ...filter.right].map(({ span }) => span);
  const between = reader
    .tokensIn(filter.span)
    .filter(({ start, end }) => !operands.some((span) => start >= span.start && end <= span.end))
    .map(({ text }) => text.toUpperCase())
    .join(' ');
  if (COMPARISONS.has(filter.operator) && !filter.negated) {
    const sign = between === '==' ? '=' : between === '!=' ? '<>' : between;
    return sign === filter.operator ? (sign as ConditionOperator) : undefined;
  }
  const isNotNull = filter.operator === 'is null' && filter.negated;
  const wanted = isNotNull ? 'is not null' : `${filter.negated ? 'not ' : ''}${filter.operator}`;
  return FORMS.find(([operator, form]) => operator === wanted && form.test(between))?.[0];
}

function operandText(reader: QueryReader, block: QueryBlock, operand: OperandShape): string {
  if (operand.kind !== 'subquery' || operand.block === undefined) return reader.expression(operand.span, block);
  const role = reader.shape.blocks[operand.block]?.role;
  return `$${reader.ask(operand.block, role === 'scalar' ? 'value' : 'list')}`;
}

function operandOf(reader: QueryReader, block: QueryBlock, operand: OperandShape): ConditionOperand {
  const { literal, span } = operand;
  if (operand.kind === 'literal' && literal !== undefined) {
    if (literal.type === 'string' && startsQuoted(reader.sql, span)) return { kind: 'text', value: literal.value };
    if (literal.type === 'number' && isNumberLiteral(reader.text(span)))
      return { kind: 'number', value: reader.text(span) };
    if (literal.type === 'boolean') return { kind: 'boolean', value: literal.value.toLowerCase() === 'true' };
  }
  return { kind: 'expression', sql: operandText(reader, block, operand) };
}

/** A string without a prefix, dollars or triple quotes. */
function startsQuoted(sql: string, span: Span): boolean {
  const text = sql.slice(span.start, span.end);
  return text.startsWith("'") && text.endsWith("'") && !text.startsWith("'''");
}
