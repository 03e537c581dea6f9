import { at, field, isPresent, list, text, variant } from '../tree/json-node.ts';
import type {
  Expression,
  TreeBody,
  TreeCte,
  TreeItem,
  TreeOrder,
  TreeQuery,
  TreeSelect,
  TreeSetOperator,
} from '../tree/tree.ts';
import { type Converter, convertExpression, convertObjectName, expressionsIn } from './convert-expression.ts';
import { convertFrom } from './convert-from.ts';
import { convertName, type Place } from './convert-name.ts';

/** A query of sqlparser-rs as the common tree. */
export function convertQuery(node: unknown, place: Place): TreeQuery {
  const converter: Converter = { place, query: (inner) => convertQuery(inner, place) };
  const order = at(node, 'order_by', 'kind');
  const [orderTag, orderContent] = variant(order);
  const limit = readLimit(node, converter);
  return {
    recursive: isPresent(at(node, 'with', 'recursive')),
    ctes: list(at(node, 'with', 'cte_tables')).map(
      (cte): TreeCte => ({
        name: convertName(at(cte, 'alias', 'name'), place),
        columns: list(at(cte, 'alias', 'columns')).map((column) => convertName(field(column, 'name'), place)),
        query: converter.query(field(cte, 'query')),
      }),
    ),
    body: convertBody(field(node, 'body'), converter),
    orderBy: orderTag === 'All' ? 'all' : list(orderContent).map((item) => convertOrder(item, converter)),
    ...limit,
  };
}

function convertOrder(node: unknown, converter: Converter): TreeOrder {
  const nullsFirst = at(node, 'options', 'nulls_first');
  return {
    expression: convertExpression(field(node, 'expr'), converter),
    direction: at(node, 'options', 'asc') === false ? 'desc' : 'asc',
    nulls: nullsFirst === true ? 'first' : nullsFirst === false ? 'last' : undefined,
  };
}

function readLimit(
  node: unknown,
  converter: Converter,
): Pick<TreeQuery, 'hasLimit' | 'count' | 'offset' | 'limitExpressions'> {
  const [tag, content] = variant(field(node, 'limit_clause'));
  const fetch = at(node, 'fetch', 'quantity');
  const count = field(content, 'limit') ?? fetch;
  const offset = tag === 'LimitOffset' ? at(content, 'offset', 'value') : field(content, 'offset');
  const convert = (value: unknown): Expression | undefined =>
    isPresent(value) ? convertExpression(value, converter) : undefined;
  const both = [convert(count), convert(offset)];
  const number = (value: Expression | undefined): string | undefined =>
    value?.kind === 'literal' && value.type === 'number' ? value.value : undefined;
  return {
    hasLimit: content !== undefined || isPresent(field(node, 'fetch')),
    count: number(both[0]),
    offset: number(both[1]),
    limitExpressions: both.filter((value) => value !== undefined),
  };
}

function convertBody(node: unknown, converter: Converter): TreeBody {
  const [tag, content] = variant(node);
  if (tag === 'Select') return convertSelect(content, converter);
  if (tag === 'Query') return { kind: 'query', query: converter.query(content) };
  if (tag === 'SetOperation') return convertSetOperation(content, converter);
  return { kind: 'values', rows: expressionsIn(content, converter) };
}

/** Operands in the order of the text, with an explicit stack: long chains are deep to the left. */
function convertSetOperation(node: unknown, converter: Converter): TreeBody {
  const operands: TreeBody[] = [];
  const operators: TreeSetOperator[] = [];
  const stack: ({ readonly body: unknown } | { readonly operator: TreeSetOperator })[] = [
    { body: { SetOperation: node } },
  ];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if ('operator' in next) {
      operators.push(next.operator);
      continue;
    }
    const [tag, content] = variant(next.body);
    if (tag !== 'SetOperation') {
      operands.push(convertBody(next.body, converter));
      continue;
    }
    const name = (text(field(content, 'op')) ?? '').toLowerCase();
    const operator = name === 'union' || name === 'intersect' ? name : 'except';
    const all = (text(field(content, 'set_quantifier')) ?? '').startsWith('All');
    stack.push({ body: field(content, 'right') }, { operator: { operator, all } }, { body: field(content, 'left') });
  }
  return { kind: 'set', operands, operators };
}

function convertSelect(node: unknown, converter: Converter): TreeSelect {
  const convert = (value: unknown): Expression => convertExpression(value, converter);
  const optional = (value: unknown): Expression | undefined => (isPresent(value) ? convert(value) : undefined);
  const [groupTag, groupContent] = variant(field(node, 'group_by'));
  const windows = field(node, 'named_window');
  return {
    kind: 'select',
    distinct: isPresent(field(node, 'distinct')) && field(node, 'distinct') !== 'All',
    distinctOn: list(at(node, 'distinct', 'On')).map(convert),
    items: list(field(node, 'projection')).map((item) => convertItem(item, converter)),
    from: convertFrom(field(node, 'from'), converter),
    where: optional(field(node, 'selection')),
    groupBy: groupTag === 'All' ? 'all' : list(list(groupContent)[0]).map(convert),
    having: optional(field(node, 'having')),
    qualify: optional(field(node, 'qualify')),
    windows: list(windows).flatMap((pair) => expressionsIn(list(pair)[1], converter)),
    hasWindowClause: list(windows).length > 0,
    hasTop: isPresent(field(node, 'top')),
  };
}

function convertItem(node: unknown, converter: Converter): TreeItem {
  const [tag, content] = variant(node);
  const convert = (value: unknown): Expression => convertExpression(value, converter);
  if (tag === 'UnnamedExpr') return { expression: convert(content) };
  if (tag === 'ExprWithAlias')
    return {
      expression: convert(field(content, 'expr')),
      alias: convertName(field(content, 'alias'), converter.place),
    };
  const options = tag === 'QualifiedWildcard' ? list(content)[1] : content;
  const named =
    tag === 'QualifiedWildcard' ? convertObjectName(at(list(content)[0], 'ObjectName'), converter.place) : [];
  return { expression: { kind: 'star', qualifier: named, children: starColumns(options, converter) } };
}

/** Columns that EXCEPT, EXCLUDE, RENAME and REPLACE name. */
function starColumns(options: unknown, converter: Converter): readonly Expression[] {
  const column = (name: unknown): Expression => ({ kind: 'column', parts: [convertName(name, converter.place)] });
  const except = field(options, 'opt_except');
  const [excludeTag, exclude] = variant(field(options, 'opt_exclude'));
  const excluded = excludeTag === 'Multiple' ? list(exclude) : excludeTag === 'Single' ? [exclude] : [];
  const [renameTag, rename] = variant(field(options, 'opt_rename'));
  const renamed = renameTag === 'Multiple' ? list(rename) : renameTag === 'Single' ? [rename] : [];
  return [
    ...(isPresent(except)
      ? [field(except, 'first_element'), ...list(field(except, 'additional_elements'))].map(column)
      : []),
    ...excluded.map((name): Expression => ({ kind: 'column', parts: convertObjectName(name, converter.place) })),
    ...list(at(options, 'opt_replace', 'items')).map((item) => convertExpression(field(item, 'expr'), converter)),
    ...renamed.map((name) => column(field(name, 'ident'))),
  ];
}
