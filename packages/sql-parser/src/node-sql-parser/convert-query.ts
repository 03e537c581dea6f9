import { at, field, isNode, isPresent, list, text } from '../tree/json-node.ts';
import type {
  Expression,
  TreeBody,
  TreeCte,
  TreeItem,
  TreeName,
  TreeOrder,
  TreeQuery,
  TreeSelect,
  TreeSetOperator,
} from '../tree/tree.ts';
import { convertExpression, expressionsIn, type NodeConverter, nameText } from './convert-expression.ts';
import { convertFrom } from './convert-from.ts';

/** A part of node-sql-parser's tree that has no counterpart in the common one. */
export class NotConverted extends Error {}

/** A query of node-sql-parser as the common tree. */
export function convertQuery(wrapped: unknown, place: Pick<NodeConverter, 'base' | 'doubleQuotesAreNames'>): TreeQuery {
  const node = isNode(field(wrapped, 'ast')) ? field(wrapped, 'ast') : wrapped;
  const converter: NodeConverter = { ...place, query: (inner) => convertQuery(inner, place) };
  const withClause = list(field(node, 'with'));
  const chain = [node];
  for (let next = field(node, '_next'); isNode(next); next = field(next, '_next')) chain.push(next);
  // ORDER BY and LIMIT behind a set operation hang on its last operand, or on the first under a name of their own.
  const last = chain.at(-1);
  const isSet = chain.length > 1;
  const tail = isSet && isBracketed(last) ? undefined : last;
  return {
    recursive: withClause.some((cte) => isPresent(field(cte, 'recursive'))),
    ctes: withClause.map((cte) => convertCte(cte, converter)),
    body: isSet ? convertSet(chain, converter) : convertBody(node, converter),
    ...readTail(tail, node, converter),
  };
}

function isBracketed(node: unknown): boolean {
  return isPresent(field(node, 'parentheses_symbol')) || isPresent(field(node, '_parentheses'));
}

function convertCte(node: unknown, converter: NodeConverter): TreeCte {
  return {
    name: { text: nameText(field(node, 'name')) ?? '' },
    columns: list(field(node, 'columns')).flatMap((column): TreeName[] => {
      const name = nameText(column) ?? nameText(field(column, 'column'));
      return name === undefined ? [] : [{ text: name }];
    }),
    query: converter.query(field(node, 'stmt')),
  };
}

function readTail(
  node: unknown,
  first: unknown,
  converter: NodeConverter,
): Pick<TreeQuery, 'orderBy' | 'hasLimit' | 'count' | 'offset' | 'limitExpressions'> {
  const order = field(first, '_orderby') ?? field(node, 'orderby');
  const limit = field(first, '_limit') ?? field(node, 'limit');
  const values = list(field(limit, 'value')).map((value) => convertExpression(value, converter));
  const separator = (text(field(limit, 'seperator')) ?? '').toLowerCase();
  const numbers = values.map((value) =>
    value.kind === 'literal' && value.type === 'number' ? value.value : undefined,
  );
  const isOffsetOnly = separator === 'offset' && numbers.length === 1;
  const [count, offset] =
    separator === ',' ? [numbers[1], numbers[0]] : isOffsetOnly ? [undefined, numbers[0]] : numbers;
  return {
    orderBy: list(order).map(
      (item): TreeOrder => ({
        expression: convertExpression(field(item, 'expr'), converter),
        direction: String(field(item, 'type') ?? '').toUpperCase() === 'DESC' ? 'desc' : 'asc',
        nulls: readNulls(field(item, 'nulls')),
      }),
    ),
    hasLimit: values.length > 0,
    count,
    offset,
    limitExpressions: values,
  };
}

function readNulls(node: unknown): 'first' | 'last' | undefined {
  const words = String(node ?? '').toLowerCase();
  return words.includes('first') ? 'first' : words.includes('last') ? 'last' : undefined;
}

function convertSet(chain: readonly unknown[], converter: NodeConverter): TreeBody {
  const operators = chain.slice(0, -1).map((node): TreeSetOperator => {
    const words = (text(field(node, 'set_op')) ?? '').toLowerCase();
    const operator = words.startsWith('union') ? 'union' : words.startsWith('intersect') ? 'intersect' : 'except';
    return { operator, all: words.includes('all') };
  });
  const operands = chain.map((node): TreeBody => {
    const body = convertBody(node, converter);
    if (!isBracketed(node)) return body;
    const query: TreeQuery = { recursive: false, ctes: [], body, ...readTail(node, undefined, converter) };
    return { kind: 'query', query };
  });
  return { kind: 'set', operands, operators };
}

function convertBody(node: unknown, converter: NodeConverter): TreeBody {
  if (field(node, 'type') === 'values')
    return { kind: 'values', rows: expressionsIn(field(node, 'values'), converter) };
  if (field(node, 'type') !== 'select') throw new NotConverted(`a statement of type ${String(field(node, 'type'))}`);
  return convertSelect(node, converter);
}

function convertSelect(node: unknown, converter: NodeConverter): TreeSelect {
  const optional = (value: unknown): Expression | undefined =>
    isPresent(value) ? convertExpression(value, converter) : undefined;
  const groups = field(node, 'groupby');
  const columns = field(node, 'columns');
  const distinct = field(node, 'distinct');
  const windows = list(at(node, 'window', 'expr'));
  return {
    kind: 'select',
    distinct: distinct === 'DISTINCT' || field(distinct, 'type') === 'DISTINCT',
    distinctOn: expressionsIn(field(distinct, 'columns'), converter),
    items:
      columns === '*'
        ? [{ expression: { kind: 'star', qualifier: [], children: [] } }]
        : list(columns).map((item) => convertItem(item, converter)),
    from: convertFrom(field(node, 'from'), converter),
    where: optional(field(node, 'where')),
    groupBy: list(field(groups, 'columns') ?? groups).map((group) => convertExpression(group, converter)),
    having: optional(field(node, 'having')),
    qualify: optional(field(node, 'qualify')),
    windows: windows.flatMap((window) => expressionsIn(field(window, 'as_window_specification'), converter)),
    hasWindowClause: windows.length > 0,
    hasTop: isPresent(field(node, 'top')),
  };
}

function convertItem(node: unknown, converter: NodeConverter): TreeItem {
  const alias = nameText(field(node, 'as'));
  const expression = convertExpression(field(node, 'expr') ?? node, converter);
  return { expression, alias: alias === undefined ? undefined : { text: alias } };
}
