import type { CteShape, LimitShape } from '@askema/sql';
import {
  isWord,
  nextAtLevel,
  splitAtCommas,
  splitRange,
  stripBrackets,
  type TokenRange,
  type TokenTable,
} from '../source/token-table.ts';
import type { TreeBody, TreeOrder, TreeQuery } from '../tree/tree.ts';
import { buildSelect } from './build-select.ts';
import {
  addBlock,
  type BlockDraft,
  type BlockOptions,
  type Builder,
  indexes,
  mustSpan,
  NotLocated,
} from './builder.ts';
import { type ClauseWord, findClauses } from './clause-ranges.ts';
import { locateName, positionOf } from './locate.ts';
import { visitExpression } from './visit-expression.ts';

/** Builds the block of a query and those inside it. `range` may have brackets around it. */
export function buildQuery(builder: Builder, tree: TreeQuery, outerRange: TokenRange, options: BlockOptions): void {
  const { table } = builder;
  let query = tree;
  let range = stripBrackets(table, outerRange);
  while (query.body.kind === 'query' && isBare(query)) {
    query = query.body.query;
    range = stripBrackets(table, range);
  }
  const block = addBlock(builder, range, options);
  const start = query.ctes.length === 0 ? range.from : buildCtes(builder, block, query, range);
  if (start > range.from) block.clauses.with = mustSpan(builder, { from: range.from, to: start });
  // WITH may stand in front of brackets.
  const inside = { from: start, to: range.to };
  const body = query.body;
  if (body.kind === 'select') {
    block.kind = 'select';
    buildSelect(builder, block, body, query, stripBrackets(table, inside));
  } else if (body.kind === 'values') {
    block.kind = 'values';
    for (const row of body.rows) visitExpression({ builder, block, clause: 'select' }, row, inside);
  } else buildOperands(builder, block, query, body, inside);
}

function isBare(query: TreeQuery): boolean {
  return query.ctes.length === 0 && query.orderBy.length === 0 && !query.hasLimit;
}

/** Builds the common table expressions; returns where the body begins. */
function buildCtes(builder: Builder, block: BlockDraft, query: TreeQuery, range: TokenRange): number {
  const { table } = builder;
  if (!isWord(table, range.from, 'WITH')) throw new NotLocated('WITH');
  let index = range.from + (isWord(table, range.from + 1, 'RECURSIVE') && query.recursive ? 2 : 1);
  for (const [position, cte] of query.ctes.entries()) {
    if (position > 0) {
      if (table.tokens[index]?.upper !== ',')
        throw new NotLocated(`the end of the CTE before ${cte.name.text.slice(0, 80)}`);
      index++;
    }
    const named = locateName(builder, [cte.name], { from: index, to: index + 1 }, 'alias');
    const name = named.parts[0];
    let open = named.range.to;
    const columnsEnd = table.tokens[open]?.upper === '(' ? nextAtLevel(table, open) : open;
    const columns = cte.columns.flatMap(
      (column) => locateName(builder, [column], { from: open, to: columnsEnd }, 'alias').parts,
    );
    open = columnsEnd;
    while (open < range.to && table.tokens[open]?.upper !== '(') open++;
    const end = nextAtLevel(table, open);
    if (name === undefined || open >= range.to || end > range.to) throw new NotLocated('the body of a CTE');
    const shape: CteShape = {
      name,
      columns,
      recursive: query.recursive,
      block: builder.blocks.length,
      span: mustSpan(builder, { from: named.range.from, to: end }),
    };
    block.ctes.push(shape);
    buildQuery(builder, cte.query, { from: open, to: end }, { parent: block.id, place: 'cte', role: 'rows' });
    index = end;
    // SEARCH and CYCLE (PostgreSQL), the comma before the body that BigQuery allows.
    while (
      index < range.to &&
      /^(SEARCH|CYCLE|SET|USING|TO|DEFAULT|DEPTH|BREADTH|FIRST|BY)$/.test(table.tokens[index]?.upper ?? '')
    )
      index += 2;
  }
  return table.tokens[index]?.upper === ',' ? index + 1 : index;
}

function buildOperands(
  builder: Builder,
  block: BlockDraft,
  query: TreeQuery,
  body: Exclude<TreeBody, { readonly kind: 'select' | 'values' }>,
  range: TokenRange,
): void {
  const { table } = builder;
  block.kind = body.kind === 'set' ? 'set operation' : 'other';
  const bodies = body.kind === 'set' ? body.operands : [body];
  // A set operation may stand in brackets of its own, with ORDER BY inside of them or behind.
  const whole = bodies.length > 1 ? stripBrackets(table, range) : range;
  const parts = bodies.length > 1 ? splitRange(table, whole, (index) => isSetOperator(table, index)) : [whole];
  if (parts.length !== bodies.length)
    throw new NotLocated(`the operands of a set operation (${bodies.length} in the tree, ${parts.length} in the text)`);
  const wanted = new Set<ClauseWord>();
  if (query.orderBy.length > 0) wanted.add('order by');
  if (query.hasLimit) wanted.add('limit');
  const last = parts.at(-1) ?? whole;
  const clauses = findClauses(table, last, wanted);
  const tail = Math.min(last.to, ...[...clauses.values()].map((clause) => clause.whole.from));
  const operands: number[] = [];
  for (const [index, operand] of bodies.entries()) {
    const part = parts[index] ?? whole;
    const from = index === 0 ? part.from : afterQuantifier(table, part.from);
    operands.push(builder.blocks.length);
    const options: BlockOptions = { parent: block.id, place: 'operand', role: 'rows' };
    buildQuery(builder, asQuery(operand), { from, to: index === bodies.length - 1 ? tail : part.to }, options);
  }
  const operators = body.kind === 'set' ? body.operators : [];
  block.setOperation = {
    operands,
    operators: operators.map((operator, index) => {
      const from = parts[index]?.to ?? whole.from;
      return { ...operator, span: mustSpan(builder, { from, to: afterQuantifier(table, from + 1) }) };
    }),
  };
  finishQuery(builder, block, query, clauses);
}

/** ORDER BY and LIMIT, which belong to the query, not to its SELECT. */
export function finishQuery(
  builder: Builder,
  block: BlockDraft,
  query: TreeQuery,
  clauses: ReturnType<typeof findClauses>,
): void {
  for (const [clause, range] of clauses) block.clauses[clause] = mustSpan(builder, range.whole);
  const order = clauses.get('order by');
  if (order !== undefined && query.orderBy !== 'all') buildOrder(builder, block, query.orderBy, order.body);
  if (order !== undefined && query.orderBy === 'all')
    block.orderBy.push({
      kind: 'all',
      item: undefined,
      direction: 'asc',
      nulls: undefined,
      columns: [],
      calls: [],
      span: mustSpan(builder, order.body),
    });
  const limit = clauses.get('limit');
  if (limit === undefined) return;
  const shape: LimitShape = { span: mustSpan(builder, limit.whole), count: query.count, offset: query.offset };
  block.limit = shape;
  for (const expression of query.limitExpressions)
    visitExpression({ builder, block, clause: 'limit' }, expression, limit.body);
}

function buildOrder(builder: Builder, block: BlockDraft, items: readonly TreeOrder[], range: TokenRange): void {
  const { table } = builder;
  const parts = splitAtCommas(table, range);
  if (parts.length !== items.length) throw new NotLocated('the elements of ORDER BY');
  for (const [index, item] of items.entries()) {
    const part = parts[index] ?? range;
    const firstColumn = block.columns.length;
    const firstCall = block.calls.length;
    const { expression, direction, nulls } = item;
    const isAll = expression.kind === 'column' && expression.parts.length === 1 && isWord(table, part.from, 'ALL');
    const position = positionOf(expression, block);
    if (!isAll) visitExpression({ builder, block, clause: 'order by' }, expression, part);
    block.orderBy.push({
      kind: isAll
        ? 'all'
        : position !== undefined
          ? 'position'
          : expression.kind === 'column'
            ? 'column'
            : 'expression',
      item: position,
      direction,
      nulls,
      columns: indexes(firstColumn, block.columns.length),
      calls: indexes(firstCall, block.calls.length),
      span: mustSpan(builder, part),
    });
  }
}

/** An operand of a set operation as a query of its own. */
function asQuery(body: TreeBody): TreeQuery {
  if (body.kind === 'query') return body.query;
  return { recursive: false, ctes: [], body, orderBy: [], hasLimit: false, limitExpressions: [] };
}

function isSetOperator(table: TokenTable, index: number): boolean {
  const { tokens } = table;
  if (!/^(UNION|INTERSECT|EXCEPT|MINUS)$/.test(tokens[index]?.upper ?? '') || tokens[index - 1]?.upper === '.')
    return false;
  // `* EXCEPT (a, b)` leaves columns out.
  if (tokens[index - 1]?.upper === '*' && tokens[index + 1]?.upper === '(') return false;
  return /^(ALL|DISTINCT|SELECT|\(|VALUES|WITH|FROM|BY|CORRESPONDING|TABLE)$/.test(tokens[index + 1]?.upper ?? '');
}

function afterQuantifier(table: TokenTable, from: number): number {
  let index = from;
  while (/^(ALL|DISTINCT)$/.test(table.tokens[index]?.upper ?? '')) index++;
  if (isWord(table, index, 'BY') && isWord(table, index + 1, 'NAME')) index += 2;
  return index;
}
