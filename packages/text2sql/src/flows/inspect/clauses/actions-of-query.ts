import type { Dialect } from '@askema/core';
import {
  isWord,
  type JoinShape,
  type NamePart,
  type QueryBlock,
  type QueryShape,
  type RelationShape,
} from '@askema/sql';
import { addConditions, flattened } from './actions-of-conditions.ts';
import type { ActionProblem, AddMerge, AddOrderBy, ClauseAction, JoinArgument } from './clause-action.ts';
import type { ActionSpan } from './expression-text.ts';
import { QueryReader, withoutDirection } from './query-reader.ts';

export interface ActionsOfQuery {
  readonly actions: readonly ClauseAction[];
  /** The SQL of the queries inside, by the id of their sub-question. */
  readonly answers: Readonly<Record<string, string>>;
  /** What part of the source each action says. */
  readonly spans: readonly ActionSpan[];
  /** What the statement has and no action says; without any, `assembleSql` gives an equivalent statement. */
  readonly problems: readonly ActionProblem[];
}

/**
 * The clause actions of a statement that is there already: each clause by slices of its source, conditions one by one,
 * every query inside as a sub-question whose answer is its text. What actions cannot say (DISTINCT ON, QUALIFY, WINDOW,
 * USING, LATERAL, recursive CTEs, TABLESAMPLE) is listed in `problems`: nothing is left out silently.
 */
export function actionsOfQuery(sql: string, shape: QueryShape, dialect: Pick<Dialect, 'lexer'>): ActionsOfQuery {
  const reader = new QueryReader(sql, shape, dialect);
  const [whole] = shape.blocks;
  if (shape.statementCount > 1) reader.refuse('There are several statements: actions say one.');
  if (whole !== undefined) {
    addCommonTables(reader, whole);
    if (whole.setOperation === undefined) addSelect(reader, whole, whole);
    else addSetOperation(reader, whole);
    reader.reportRest();
  }
  const { actions, answers, spans, problems } = reader;
  return { actions, answers, spans, problems };
}

function addCommonTables(reader: QueryReader, block: QueryBlock): void {
  for (const { name, recursive, block: body, span, columns } of block.ctes) {
    if (recursive) reader.refuse(`The CTE ${name.text} stands under WITH RECURSIVE.`);
    if (columns.length > 0) reader.refuse(`The CTE ${name.text} names its columns.`);
    reader.take(span);
    reader.ask(body, 'rows', reader.text(name.span));
  }
}

/** `tail` is the block whose order and limit belong to it. */
function addSelect(reader: QueryReader, block: QueryBlock, tail: QueryBlock): void {
  if (block.kind !== 'select') {
    reader.refuse(`No clause action says a query of the kind ${block.kind}.`);
    reader.take(block.span);
    return;
  }
  addFrom(reader, block);
  addConditions(reader, block, 'where');
  if (block.groupings.length > 0) {
    const expressions = block.groupings.map(({ span }) => reader.expression(span, block));
    reader.add({ action: 'add_group_by', expressions }, block.clauses['group by']);
  }
  addConditions(reader, block, 'having');
  const items = block.items.map(({ expression, alias }) => ({
    expression: reader.expression(expression, block),
    ...(alias === undefined ? {} : { alias: nameText(reader, alias) }),
  }));
  reader.add({ action: 'add_select', distinct: block.distinct, items }, block.clauses.select);
  addTail(reader, tail);
}

function addTail(reader: QueryReader, block: QueryBlock): void {
  if (block.orderBy.length > 0) reader.add(orderBy(reader, block), block.clauses['order by']);
  const { limit } = block;
  if (limit === undefined) return;
  const [count, offset] = [Number(limit.count), Number(limit.offset ?? 0)];
  const isPlain = !reader
    .tokensIn(limit.span)
    .some((token) => isWord(token, 'TIES') || isWord(token, 'PERCENT') || isWord(token, 'BY'));
  reader.take(limit.span);
  if (limit.count === undefined || !Number.isSafeInteger(count) || !Number.isSafeInteger(offset) || !isPlain)
    reader.refuse(`No clause action says \`${reader.text(limit.span)}\`: it takes a number of rows.`);
  else reader.add({ action: 'add_limit', count, ...(offset > 0 ? { offset } : {}) }, limit.span);
}

function orderBy(reader: QueryReader, block: QueryBlock): AddOrderBy {
  const keys = block.orderBy.map(({ span, direction, nulls }) => {
    const last = withoutDirection(reader.tokensIn(span)).at(-1);
    const expression = reader.expression({ start: span.start, end: last?.end ?? span.end }, block);
    reader.take(span);
    return { expression, direction, ...(nulls === undefined ? {} : { nulls }) };
  });
  return { action: 'add_order_by', keys };
}

function addFrom(reader: QueryReader, block: QueryBlock): void {
  const [first] = block.relations;
  if (first === undefined) return;
  const { relation, alias } = relationOf(reader, block, first);
  const joins = block.joins.map((join) => joinOf(reader, block, join));
  if (joins.length !== block.relations.length - 1)
    reader.refuse('No clause action says the way in which FROM is nested.');
  reader.add({ action: 'add_from', relation, ...(alias === undefined ? {} : { alias }), joins }, block.clauses.from);
}

function relationOf(
  reader: QueryReader,
  block: QueryBlock,
  relation: RelationShape,
): { readonly relation: string; readonly alias: string | undefined } {
  const alias = relation.alias === undefined ? undefined : nameText(reader, relation.alias);
  const isCall = relation.kind === 'function' || relation.kind === 'unnest';
  if (relation.lateral && !isCall)
    reader.refuse(`No clause action says that ${reader.text(relation.span).slice(0, 80)} is lateral.`);
  if (relation.kind === 'derived' && relation.block !== undefined) {
    reader.take(relation.span);
    return { relation: `$${reader.ask(relation.block, 'list')}`, alias };
  }
  const text = reader.expression(isCall ? reader.withRowWords(relation.span) : relation.span, block);
  const isOwn = relation.kind === 'cte' && /^[A-Za-z_]\w*$/.test(text) && Object.hasOwn(reader.answers, text);
  return { relation: isOwn ? `$${text}` : text, alias };
}

function joinOf(reader: QueryReader, block: QueryBlock, join: JoinShape): JoinArgument {
  const relation = block.relations[join.relation];
  if (relation === undefined) throw new RangeError(`A join names relation ${join.relation}, which is not there.`);
  const { relation: name, alias } = relationOf(reader, block, relation);
  const kind = kindOf(join);
  if (kind === undefined || join.natural || join.using.length > 0)
    reader.refuse(`No clause action says the join \`${reader.text(join.span).slice(0, 120)}\`.`);
  for (const { span } of join.using) reader.take(span);
  const { on, condition } = joinCondition(reader, block, join);
  return {
    kind: kind === 'cross' && (on.length > 0 || condition !== undefined) ? 'inner' : (kind ?? 'inner'),
    relation: name,
    ...(alias === undefined ? {} : { alias }),
    on,
    ...(condition === undefined ? {} : { condition }),
  };
}

/** A comma, and an inner join without a condition, is a cross join. */
function kindOf({ kind, condition }: JoinShape): JoinArgument['kind'] | undefined {
  if (kind === 'comma') return 'cross';
  if (kind === 'inner') return condition === undefined ? 'cross' : 'inner';
  return kind === 'left' || kind === 'right' || kind === 'full' || kind === 'cross' ? kind : undefined;
}

/** Pairs of columns that are linked by AND alone; the rest as one expression. */
function joinCondition(
  reader: QueryReader,
  block: QueryBlock,
  { condition, pairs }: JoinShape,
): Pick<JoinArgument, 'on' | 'condition'> {
  if (condition === undefined) return { on: [] };
  const operands = condition.kind === 'and' ? flattened(condition.operands, 'and') : [condition];
  const on: { left: string; right: string }[] = [];
  const others: string[] = [];
  for (const operand of operands) {
    const pair = pairs.find(({ span }) => span.start === operand.span.start && span.end === operand.span.end);
    const [left, right] = pair === undefined ? [] : [block.columns[pair.left], block.columns[pair.right]];
    if (
      left !== undefined &&
      right !== undefined &&
      reader.tokensIn(operand.span).some((token) => token.text === '=')
    ) {
      reader.take(operand.span);
      on.push({ left: reader.text(left.span), right: reader.text(right.span) });
    } else {
      const text = reader.expression(operand.span, block);
      others.push(operand.kind === 'or' && operands.length > 1 ? `(${text})` : text);
    }
  }
  return { on, ...(others.length === 0 ? {} : { condition: others.join(' AND ') }) };
}

function addSetOperation(reader: QueryReader, whole: QueryBlock): void {
  const operation = whole.setOperation;
  if (operation === undefined) return;
  for (const [position, id] of operation.operands.entries()) {
    const operand = reader.shape.blocks[id];
    const link = operation.operators[position - 1];
    if (link !== undefined) {
      const operator: AddMerge['operator'] = link.operator === 'union' && link.all ? 'union all' : link.operator;
      if (link.all && link.operator !== 'union')
        reader.refuse(`No clause action says ${link.operator.toUpperCase()} ALL.`);
      reader.take(link.span);
      reader.add({ action: 'add_merge', operator }, link.span);
    }
    if (operand !== undefined) addOperand(reader, operand, position === operation.operands.length - 1);
  }
  addTail(reader, whole);
}

/**
 * A query that is a set operation itself, or the last one with an order or limit of its own, stands as a sub-question.
 */
function addOperand(reader: QueryReader, operand: QueryBlock, isLast: boolean): void {
  const hasTail = operand.orderBy.length > 0 || operand.limit !== undefined;
  if (operand.kind === 'select' && operand.ctes.length === 0 && !(isLast && hasTail)) {
    addSelect(reader, operand, operand);
    return;
  }
  reader.take(operand.span);
  const relation = `$${reader.ask(operand.id, 'list')}`;
  reader.add({ action: 'add_from', relation, joins: [] }, operand.span);
  reader.add({ action: 'add_select', distinct: false, items: [{ expression: '*' }] }, operand.span);
}

/** With its quotes, where they are those of a name. */
function nameText(reader: QueryReader, name: NamePart): string {
  reader.take(name.span);
  return reader.tokensIn(name.span)[0]?.kind === 'quotedName' ? reader.text(name.span) : name.text;
}
