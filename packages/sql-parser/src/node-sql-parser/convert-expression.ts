import { at, field, isNode, isPresent, type JsonNode, list, text } from '../tree/json-node.ts';
import type { Expression, TestOperator, TreeCall, TreeName, TreeQuery, TreeWindow } from '../tree/tree.ts';

/** What the conversion of expressions needs of the whole. */
export interface NodeConverter {
  /** Where the text that was parsed begins in the source. */
  readonly base: number;
  /** Double quotes are names, not strings. */
  readonly doubleQuotesAreNames: boolean;
  query(node: unknown): TreeQuery;
}

/** An expression of node-sql-parser. Its brackets are a flag on what they hold. */
export function convertExpression(node: unknown, converter: NodeConverter): Expression {
  if (!isNode(node)) return { kind: 'other', children: [] };
  if (isQueryNode(node)) return { kind: 'query', role: 'scalar', query: converter.query(node) };
  const expression = convertBare(node, converter);
  return node.parentheses === true && expression.kind !== 'query'
    ? { kind: 'brackets', operand: expression }
    : expression;
}

/** `{ ast }` around a query, or the query itself. */
export function isQueryNode(node: unknown): boolean {
  return isNode(node) && (isNode(node.ast) || node.type === 'select');
}

function convertBare(node: JsonNode, converter: NodeConverter): Expression {
  const convert = (inner: unknown): Expression => convertExpression(inner, converter);
  const value = node.value === null || node.value === undefined ? '' : String(node.value);
  switch (node.type) {
    case 'expr':
      return convert(node.expr);
    case 'column_ref':
      return convertColumn(node, converter);
    case 'star':
      return { kind: 'star', qualifier: [], children: [] };
    case 'number':
    case 'bigint':
      return { kind: 'literal', type: 'number', value };
    case 'double_quote_string':
      if (converter.doubleQuotesAreNames) return { kind: 'column', parts: [{ text: value }] };
      return { kind: 'literal', type: 'string', value };
    case 'string':
    case 'single_quote_string':
    case 'backticks_quote_string':
      return { kind: 'literal', type: 'string', value };
    case 'bool':
    case 'boolean':
      return { kind: 'literal', type: 'boolean', value: value.toLowerCase() };
    case 'null':
      return { kind: 'literal', type: 'null', value: 'null' };
    case 'param':
    case 'var':
      return { kind: 'literal', type: 'parameter', value: text(node.name) ?? value };
    case 'date':
    case 'time':
    case 'timestamp':
    case 'datetime':
      return { kind: 'literal', type: 'typed', value, dataType: node.type.toUpperCase() };
    case 'binary_expr':
      return convertBinary(node, converter);
    case 'unary_expr':
      return convertUnary(node, converter);
    case 'aggr_func':
    case 'window_func':
    case 'function':
      return convertCall(node, converter);
    case 'case':
      return {
        kind: 'other',
        children: [
          ...(isPresent(node.expr) ? [convert(node.expr)] : []),
          ...list(node.args).flatMap((branch) => [
            ...(isPresent(field(branch, 'cond')) ? [convert(field(branch, 'cond'))] : []),
            convert(field(branch, 'result')),
          ]),
        ],
      };
    case 'array':
      if (isQueryNode(node.expr_list)) return { kind: 'query', role: 'array', query: converter.query(node.expr_list) };
      return { kind: 'other', children: expressionsIn(node, converter) };
    case 'expr_list': {
      const values = list(node.value);
      if (values.length === 1 && isQueryNode(values[0])) return convert(values[0]);
      return { kind: 'other', children: values.map(convert) };
    }
    default:
      return { kind: 'other', children: expressionsIn(node, converter) };
  }
}

/** Keys whose content names things that are no columns. */
const NAMES = new Set([
  'loc',
  'name',
  'as',
  'target',
  'tableList',
  'columnList',
  'keyword',
  'field',
  'unit',
  'symbol',
  'type',
  'surround',
  'collate',
  'definition',
]);

/** The expressions that stand anywhere in a node, in its order. */
export function expressionsIn(node: unknown, converter: NodeConverter): readonly Expression[] {
  if (Array.isArray(node)) return node.flatMap((inner) => expressionsIn(inner, converter));
  if (!isNode(node)) return [];
  return Object.keys(node)
    .filter((key) => !NAMES.has(key))
    .flatMap((key) => {
      const inner = node[key];
      const isExpression = isNode(inner) && (isQueryNode(inner) || typeof inner.type === 'string');
      if (isExpression) return [convertExpression(inner, converter)];
      if (!Array.isArray(inner)) return expressionsIn(inner, converter);
      return inner.flatMap((item) =>
        isNode(item) && (isQueryNode(item) || typeof item.type === 'string')
          ? [convertExpression(item, converter)]
          : expressionsIn(item, converter),
      );
    });
}

/** A name is a string, or a node that holds one. */
export function nameText(node: unknown): string | undefined {
  return text(node) ?? text(field(node, 'value')) ?? text(at(node, 'expr', 'value'));
}

function convertColumn(node: JsonNode, converter: NodeConverter): Expression {
  const offset = at(node, 'loc', 'start', 'offset');
  const path = list(node.notations).indexOf(':');
  const qualifier = [node.db, node.schema, node.table].flatMap((part) => nameText(part) ?? []);
  const column = nameText(node.column) ?? '';
  if (column === '*')
    return {
      kind: 'star',
      qualifier: qualifier.map((part) => ({ text: part })),
      children: expressionsIn(node.except, converter),
    };
  const fields = list(node.subFields).flatMap((part) => nameText(part) ?? []);
  const names = [...qualifier, column, ...fields];
  // Snowflake's `v:a`: what follows the colon is a path.
  const parts: TreeName[] = (path < 0 ? names : names.slice(0, path + 1)).map((part) => ({ text: part }));
  const first = parts[0];
  if (first !== undefined && typeof offset === 'number') parts[0] = { ...first, at: offset + converter.base };
  const inner = list(node.array_index).flatMap((step) => expressionsIn(step, converter));
  return { kind: 'column', parts, inner };
}

const COMPARISONS: Readonly<Record<string, readonly [TestOperator, readonly string[]]>> = {
  '=': ['=', ['=', '==', '<=>']],
  '==': ['=', ['=', '==']],
  '<>': ['<>', ['<>', '!=']],
  '!=': ['<>', ['<>', '!=']],
  '<': ['<', ['<']],
  '<=': ['<=', ['<=']],
  '>': ['>', ['>']],
  '>=': ['>=', ['>=']],
  LIKE: ['like', ['LIKE']],
  ILIKE: ['ilike', ['ILIKE']],
  RLIKE: ['regexp', ['RLIKE', 'REGEXP']],
  REGEXP: ['regexp', ['RLIKE', 'REGEXP']],
  'SIMILAR TO': ['regexp', ['SIMILAR']],
  '~': ['regexp', ['~']],
  '~*': ['regexp', ['~*']],
  IN: ['in', ['IN']],
  BETWEEN: ['between', ['BETWEEN']],
};

function convertBinary(node: JsonNode, converter: NodeConverter): Expression {
  const written = (text(node.operator) ?? '').toUpperCase();
  if (written === 'AND' || written === 'OR') {
    const operands = flatten(node, written).map((operand) => convertExpression(operand, converter));
    return { kind: written === 'AND' ? 'and' : 'or', operands };
  }
  const left = convertExpression(node.left, converter);
  if (written === 'IS' || written === 'IS NOT') return convertIs(node, left, written === 'IS NOT', converter);
  const negated = written.startsWith('NOT ');
  const comparison = COMPARISONS[negated ? written.slice(4) : written];
  if (comparison === undefined)
    return { kind: 'other', children: [left, convertExpression(node.right, converter)], isXor: written === 'XOR' };
  const [operator, symbols] = comparison;
  return { kind: 'test', operator, symbols, negated, left, right: convertRight(node.right, operator, converter) };
}

/** Operands of a chain in the order of the text; it may lean to either side. */
function flatten(root: JsonNode, operator: string): readonly unknown[] {
  const operands: unknown[] = [];
  const stack: unknown[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const isChain =
      isNode(node) &&
      node.type === 'binary_expr' &&
      node.operator === operator &&
      (node === root || node.parentheses !== true);
    if (isChain) stack.push(field(node, 'right'), field(node, 'left'));
    else operands.push(node);
  }
  return operands;
}

function convertIs(node: JsonNode, left: Expression, negated: boolean, converter: NodeConverter): Expression {
  const { right } = node;
  const type = field(right, 'type');
  const value = String(field(right, 'value')).toLowerCase();
  const operator =
    type === 'null'
      ? 'is null'
      : type === 'bool' || type === 'boolean'
        ? value === 'true'
          ? 'is true'
          : 'is false'
        : undefined;
  if (operator === undefined) return { kind: 'other', children: [left, convertExpression(right, converter)] };
  return { kind: 'test', operator, symbols: ['IS'], negated, left, right: [] };
}

function convertRight(node: unknown, operator: TestOperator, converter: NodeConverter): readonly Expression[] {
  const values = list(field(node, 'value'));
  const isList = field(node, 'type') === 'expr_list';
  if (operator === 'between' && isList) return values.map((value) => convertExpression(value, converter));
  if (operator === 'in') {
    const query = isQueryNode(node)
      ? node
      : isList && values.length === 1 && isQueryNode(values[0])
        ? values[0]
        : undefined;
    if (query !== undefined) return [{ kind: 'query', role: 'in', query: converter.query(query) }];
    if (isList) return values.map((value) => convertExpression(value, converter));
    return [{ kind: 'other', children: [convertExpression(node, converter)] }];
  }
  const called = (callName(node).at(-1) ?? '').toUpperCase();
  const argument = list(at(node, 'args', 'value'))[0];
  if (/^(ANY|ALL|SOME)$/.test(called) && isQueryNode(argument))
    return [{ kind: 'query', role: 'quantified', query: converter.query(argument) }];
  return [convertExpression(node, converter)];
}

function convertUnary(node: JsonNode, converter: NodeConverter): Expression {
  const operator = (text(node.operator) ?? '').toUpperCase();
  if (operator === 'EXISTS' || operator === 'NOT EXISTS')
    return { kind: 'exists', query: converter.query(node.expr), negated: operator === 'NOT EXISTS' };
  const operand = convertExpression(node.expr, converter);
  if (operator === 'NOT' || operator === '!') return negate(operand);
  if (operator === '-' && operand.kind === 'literal' && operand.type === 'number')
    return { ...operand, value: `-${operand.value}` };
  return { kind: 'other', children: [operand] };
}

/** NOT EXISTS is one operator, as the default back-end has it. */
function negate(operand: Expression): Expression {
  return operand.kind === 'exists' && !operand.negated ? { ...operand, negated: true } : { kind: 'not', operand };
}

function callName(node: unknown): readonly string[] {
  const name = field(node, 'name');
  if (typeof name === 'string') return name.split('.');
  return [field(name, 'schema'), ...list(field(name, 'name'))].flatMap((part) => nameText(part) ?? []);
}

function convertCall(node: JsonNode, converter: NodeConverter): Expression {
  const convert = (inner: unknown): Expression => convertExpression(inner, converter);
  const name = callName(node);
  const upper = (name.at(-1) ?? '').toUpperCase();
  const { args } = node;
  // An aggregate has one expression, a function a list.
  const values = isPresent(field(args, 'value'))
    ? list(field(args, 'value'))
    : isPresent(field(args, 'expr'))
      ? [field(args, 'expr')]
      : [];
  const spread = values.flatMap((value) =>
    field(value, 'type') === 'expr_list' && field(value, 'parentheses') !== true
      ? list(field(value, 'value'))
      : [value],
  );
  const only = spread[0];
  if (name.length === 1 && spread.length === 1) {
    if (upper === 'NOT') return negate({ kind: 'brackets', operand: convert(only) });
    if (upper === 'EXISTS' && isQueryNode(only))
      return { kind: 'exists', query: converter.query(only), negated: false };
  }
  const call: TreeCall = {
    kind: 'call',
    name: name.map((part) => ({ text: part })),
    distinct: isPresent(field(args, 'distinct')),
    // Arguments of a shape of their own (STRUCT in an aggregate) still hold columns.
    args:
      values.length > 0 || !isNode(args)
        ? spread.map(convert)
        : [{ kind: 'other', children: expressionsIn(args, converter) }],
    modifiers: [
      ...(values.length > 0 ? expressionsIn(field(args, 'orderby'), converter) : []),
      ...expressionsIn(node.within_group_orderby, converter),
      ...expressionsIn(node.filter, converter),
    ],
    over: isPresent(node.over) ? convertWindow(node.over, converter) : undefined,
  };
  return call;
}

function convertWindow(node: unknown, converter: NodeConverter): TreeWindow {
  const specification = field(node, 'as_window_specification');
  if (typeof specification === 'string') return { name: specification, partitionBy: [], orderBy: [] };
  // SQLite's grammar puts the parts into OVER itself.
  const window = field(specification, 'window_specification') ?? node;
  return {
    name: text(field(window, 'name')),
    partitionBy: list(field(window, 'partitionby')).map((part) =>
      convertExpression(field(part, 'expr') ?? part, converter),
    ),
    orderBy: list(field(window, 'orderby')).map((order) => convertExpression(field(order, 'expr'), converter)),
  };
}
